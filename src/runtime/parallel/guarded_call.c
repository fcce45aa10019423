#include "runtime/parallel/guarded_call.h"

static void leave(struct SnarlGuardedCall** guarded) { (*guarded)->left((*guarded)->argument); }

#if __has_attribute(noipa)
#define SNARL_OPAQUE __attribute__((noipa))
#else
#define SNARL_OPAQUE __attribute__((noinline))  // clang concludes nothing more from a function in another file
#endif

// A frame of its own, about which callers know nothing: they are compiled without exceptions.
SNARL_OPAQUE void snarl_guarded_call(struct SnarlGuardedCall* guarded) {
  struct SnarlGuardedCall* guard __attribute__((cleanup(leave))) = guarded;
  guard->call(guard->argument);
}
