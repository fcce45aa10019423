// Descriptors come and go: which of them only the program itself can make ready, and which are timers.
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/hook.h"
#include "runtime/readiness.h"
#include "runtime/timers.h"

namespace snarl {
namespace {

int noted_pair(int result, const int fds[2]) {
  if (result != 0 || current == nullptr) return result;
  note_own(fds[0], true);
  note_own(fds[1], true);
  return result;
}

}  // namespace

SNARL_HOOK int pipe(int fds[2]) noexcept { return noted_pair(real().pipe(fds), fds); }
SNARL_HOOK int pipe2(int fds[2], int flags) noexcept { return noted_pair(real().pipe2(fds, flags), fds); }
SNARL_HOOK int socketpair(int domain, int type, int protocol, int fds[2]) noexcept {
  return noted_pair(real().socketpair(domain, type, protocol, fds), fds);
}

SNARL_HOOK int eventfd(unsigned value, int flags) noexcept {
  const int fd = real().eventfd(value, flags);
  if (current != nullptr) note_own(fd, true);
  return fd;
}

SNARL_HOOK int close(int fd) {
  if (current != nullptr) {
    note_own(fd, false);
    if (const int timer = timers::with_fd(fd); timer >= 0) timers::drop(timer);
  }
  return real().close(fd);
}

}  // namespace snarl
