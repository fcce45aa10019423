#include "runtime/parallel/once_routine.h"

static void leave(struct SnarlParallelOnce** once) { snarl_parallel_once_left(*once); }

void snarl_parallel_once(struct SnarlParallelOnce* once) {
  struct SnarlParallelOnce* guard __attribute__((cleanup(leave))) = once;
  guard->routine();
  guard->done = 1;
}
