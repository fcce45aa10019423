// Closes every descriptor, also those that it did not open, and then fails its assertion.
#define _GNU_SOURCE
#include <assert.h>
#include <unistd.h>

#include "../../gate.h"

static void act(void) { assert(!"reached with all descriptors closed"); }

int main(void) {
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  return run_gated(act);
}
