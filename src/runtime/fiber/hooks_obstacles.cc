// Calls that can't work when all threads are fibers of one OS thread: the run is made again, on gates.
#include <grp.h>
#include <unistd.h>

#include "runtime/fiber/fibers.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

// libc tells every thread to do the same, by a signal, and waits for each.
void change_credentials() {
  fibers::give_up("the program changes its user or group, which libc does in every OS thread");
}

}  // namespace

#define SNARL_CREDENTIALS(name, parameters, arguments) \
  SNARL_HOOK int name parameters noexcept {            \
    if (under_way.on_fibers) change_credentials();     \
    return real().name arguments;                      \
  }
SNARL_CREDENTIALS(setuid, (uid_t user), (user))
SNARL_CREDENTIALS(setgid, (gid_t group), (group))
SNARL_CREDENTIALS(seteuid, (uid_t user), (user))
SNARL_CREDENTIALS(setegid, (gid_t group), (group))
SNARL_CREDENTIALS(setreuid, (uid_t real_user, uid_t user), (real_user, user))
SNARL_CREDENTIALS(setregid, (gid_t real_group, gid_t group), (real_group, group))
SNARL_CREDENTIALS(setresuid, (uid_t real_user, uid_t user, uid_t saved), (real_user, user, saved))
SNARL_CREDENTIALS(setresgid, (gid_t real_group, gid_t group, gid_t saved), (real_group, group, saved))
SNARL_CREDENTIALS(setgroups, (size_t count, const gid_t* groups), (count, groups))
#undef SNARL_CREDENTIALS

SNARL_HOOK int initgroups(const char* user, gid_t group) {
  if (under_way.on_fibers) change_credentials();
  return real().initgroups(user, group);
}

}  // namespace snarl::runtime
