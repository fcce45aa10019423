// Waits for ever, in some schedules, in a loop that reads the same again and again: no point, and nothing changes.
#include "../../gate.h"

static volatile int endless = 1;

static void act(void) {
  while (endless) {
  }
}

int main(void) { return run_gated(act); }
