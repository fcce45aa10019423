// Runs a once routine so that an exception passes, and is noticed.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct SnarlParallelOnce {
  int* control;
  void (*routine)(void);
  int done;
};

void snarl_parallel_once(struct SnarlParallelOnce* once);
void snarl_parallel_once_left(struct SnarlParallelOnce* once);

#ifdef __cplusplus
}
#endif
