#include "runtime/reset/fork_server.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "runtime/fiber/fibers.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/reset/learning.h"
#include "runtime/reset/shared_memory.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

// The list of robust mutexes is the kernel's business and is not copied to a clone.
struct RobustList {
  void* head = nullptr;
  size_t size = 0;
};

RobustList robust_list() {
  RobustList list;
  raw::call(SYS_get_robust_list, 0, &list.head, &list.size);
  return list;
}

// A copy whose parent is the explorer, which so learns how it ends. Not libc's fork: the
// program's atfork handlers are not to run, but its idea of its own tid must be right.
long clone_for_explorer() {
  uint32_t* tid = glibc::tid_word(pthread_self());
  return raw::call(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, 0, 0, tid);
}

bool is_input_a_file() {
  struct stat status;
  return raw::call(SYS_fstat, 0, &status) == 0 && S_ISREG(status.st_mode);
}

// It must be read from its start in every run.
void reopen_input() {
  const long file = raw::call(SYS_open, "/proc/self/fd/0", O_RDONLY, 0);
  if (file < 0) return;
  raw::call(SYS_dup2, file, 0);
  raw::call(SYS_close, file);
}

void become_run(int control, const RobustList& robust, bool has_input) {
  learning::in_copy();
  shared_memory::make_own();
  raw::call(SYS_setpgid, 0, 0);
  raw::call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  raw::call(SYS_set_robust_list, robust.head, robust.size);
  raw::call(SYS_close, control);
  if (has_input) reopen_input();
}

}  // namespace

void serve(int control) {
  const RobustList robust = robust_list();
  const bool has_input = is_input_a_file();
  shared_memory::list();
  for (uint64_t copies = 1;; ++copies) {
    wire::Request request;
    const long got = raw::call(SYS_read, control, &request, sizeof request);
    if (got == -4 /* EINTR */) continue;
    if (got != sizeof request) raw::exit_group(0);
    fibers::prepare();
    learning::before_copy(copies);
    const long pid = clone_for_explorer();
    if (pid == 0) return become_run(control, robust, has_input);
    const wire::Reply reply{pid};
    raw::call(SYS_write, control, &reply, sizeof reply);
  }
}

}  // namespace snarl::runtime
