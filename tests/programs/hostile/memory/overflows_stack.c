// Recurses in a thread until its stack is full.
#include "../../gate.h"

static volatile int limit = 1 << 30;

static int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = (char)depth;
  if (depth == limit) return 0;
  return recurse(depth + 1) + frame[0];
}

static void act(void) { limit += recurse(0); }

int main(void) { return run_gated(act); }
