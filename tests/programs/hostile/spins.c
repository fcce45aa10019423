// Computes for ever without any schedule point.
#include "gate.h"

static volatile int endless = 1;

static void act(void) {
  while (endless) {
  }
}

int main(void) { return run_gated(act); }
