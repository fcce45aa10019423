// A call that libc may leave by unwinding, as in a cancellation: what must be done afterwards is done then too.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct SnarlGuardedCall {
  void (*call)(void* argument);
  void (*left)(void* argument);
  void* argument;
};

void snarl_guarded_call(struct SnarlGuardedCall* guarded);

#ifdef __cplusplus
}
#endif
