// Overwrites the allocator's data beside a block; glibc aborts at the next use.
#include <stdlib.h>
#include <string.h>

#include "../../gate.h"

static volatile size_t too_many = 256;

static void act(void) {
  char* blocks[3];
  for (int i = 0; i < 3; ++i) blocks[i] = malloc(2000);
  memset(blocks[0], 0x41, 2000 + too_many);
  for (int i = 0; i < 3; ++i) free(blocks[i]);
  abort();
}

int main(void) { return run_gated(act); }
