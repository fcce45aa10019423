// Computes for ever without any schedule point. It counts, so nobody can tell that it will never end.
#include "../../gate.h"

static volatile int endless = 1;
static volatile unsigned rounds;

static void act(void) {
  while (endless) ++rounds;
}

int main(void) { return run_gated(act); }
