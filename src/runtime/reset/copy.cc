#include "runtime/reset/copy.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime {

// libc's idea of the copy's own tid must be right. The list of robust mutexes is the kernel's business and is not
// copied to a clone.
long copy_process() {
  void* robust = nullptr;
  size_t size = 0;
  raw::call(SYS_get_robust_list, 0, &robust, &size);
  uint32_t* tid = glibc::tid_word(pthread_self());
  const long pid = raw::call(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, 0, 0, tid);
  if (pid == 0) raw::call(SYS_set_robust_list, robust, size);
  return pid;
}

void stand_alone() {
  raw::call(SYS_setpgid, 0, 0);
  raw::call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace snarl::runtime
