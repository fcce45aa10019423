// Prints 100 MB and then fails its assertion.
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "../../gate.h"

static void act(void) {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  for (size_t i = 80; i < sizeof block; i += 80) block[i] = '\n';
  for (int i = 0; i < 100; ++i) {
    if (write(STDOUT_FILENO, block, sizeof block) < 0) break;
  }
  assert(!"printed it all");
}

int main(void) { return run_gated(act); }
