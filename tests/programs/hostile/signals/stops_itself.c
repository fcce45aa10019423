// Raises SIGSTOP.
#include <signal.h>

#include "../../gate.h"

static void act(void) { raise(SIGSTOP); }

int main(void) { return run_gated(act); }
