// A thread that blocks SIGTRAP dies of the first int3 that stands for a jump (runtime/patch): it is never blocked.
#include <signal.h>

#include "runtime/hook.h"

namespace snarl {
namespace {

using Call = int (*)(int, const sigset_t*, sigset_t*);

int set_mask(Call call, int how, const sigset_t* set, sigset_t* old) {
  if (set == nullptr || how == SIG_UNBLOCK || engine::shared == nullptr) return call(how, set, old);
  sigset_t wanted = *set;  // `old` may be the same
  sigdelset(&wanted, SIGTRAP);
  return call(how, &wanted, old);
}

}  // namespace

SNARL_HOOK int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return set_mask(real().pthread_sigmask, how, set, old);
}

SNARL_HOOK int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return set_mask(real().sigprocmask, how, set, old);
}

}  // namespace snarl
