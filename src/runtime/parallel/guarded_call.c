#include "runtime/parallel/guarded_call.h"

static void leave(struct SnarlGuardedCall** guarded) { (*guarded)->left((*guarded)->argument); }

// A frame of its own, about which callers know nothing: they are compiled without exceptions.
__attribute__((noipa)) void snarl_guarded_call(struct SnarlGuardedCall* guarded) {
  struct SnarlGuardedCall* guard __attribute__((cleanup(leave))) = guarded;
  guard->call(guard->argument);
}
