#include "runtime/hooks/once_call.h"

static void leave(struct SnarlOnce** once) { snarl_once_leave(*once); }

int snarl_once(struct SnarlOnce* once) {
  struct SnarlOnce* guard __attribute__((cleanup(leave))) = once;
  return snarl_once_real(guard->control, snarl_once_routine);
}
