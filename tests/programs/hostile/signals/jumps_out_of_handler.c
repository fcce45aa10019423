// Leaves a signal handler by siglongjmp, in a thread, and goes on; then fails.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

#include "../../gate.h"

static sigjmp_buf back;

static void on_signal(int number) { siglongjmp(back, number); }

static void act(void) {
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 3; ++i)
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, NULL, &now);
  assert(!sigismember(&now, SIGUSR1));
  assert(!"jumped");
}

int main(void) { return run_gated(act); }
