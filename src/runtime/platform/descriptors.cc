#include "runtime/platform/descriptors.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/task.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE struct stat outputs[2];

bool is_same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

}  // namespace

void note_outputs() {
  for (int fd = 1; fd <= 2; ++fd)
    if (raw::call(SYS_fstat, fd, &outputs[fd - 1]) != 0) outputs[fd - 1] = {};
}

bool is_output(int fd) {
  struct stat status;
  if ((fd != 1 && fd != 2) || raw::call(SYS_fstat, fd, &status) != 0) return false;
  return is_same(status, outputs[0]) || is_same(status, outputs[1]);
}

bool may_wait(int fd) {
  struct stat status;
  if (is_output(fd) || raw::call(SYS_fstat, fd, &status) != 0) return false;
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode))
    return false;
  return (raw::call(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK) == 0;
}

bool is_blocked(int tid) {
  const task::Call call = task::call_of(tid);
  if (call.number == SYS_write || call.number == SYS_writev) return !is_output(static_cast<int>(call.first));
  return call.number != task::kNoCall;
}

}  // namespace snarl::runtime
