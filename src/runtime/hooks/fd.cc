// Descriptors come and go: which of them only the program itself can make ready, and which are timers.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/simulated/outside.h"
#include "runtime/simulated/timers.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

int noted_pair(int result, const int fds[2]) {
  if (result != 0 || current == nullptr) return result;
  note_own(fds[0], true);
  note_own(fds[1], true);
  return result;
}

int noted(int fd) {
  if (current != nullptr) note_own(fd, true);
  return fd;
}

}  // namespace

SNARL_HOOK int pipe(int fds[2]) noexcept { return noted_pair(real().pipe(fds), fds); }
SNARL_HOOK int pipe2(int fds[2], int flags) noexcept { return noted_pair(real().pipe2(fds, flags), fds); }
SNARL_HOOK int socketpair(int domain, int type, int protocol, int fds[2]) noexcept {
  return noted_pair(real().socketpair(domain, type, protocol, fds), fds);
}

SNARL_HOOK int eventfd(unsigned value, int flags) noexcept { return noted(real().eventfd(value, flags)); }

// As long as all that it looks at is the program's own.
SNARL_HOOK int epoll_create(int size) noexcept { return noted(real().epoll_create(size)); }
SNARL_HOOK int epoll_create1(int flags) noexcept { return noted(real().epoll_create1(flags)); }
SNARL_HOOK int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  if (current != nullptr && operation == EPOLL_CTL_ADD && !is_own(fd)) note_own(epoll, false);
  return real().epoll_ctl(epoll, operation, fd, event);
}

SNARL_HOOK int close(int fd) {
  if (current != nullptr) {
    note_own(fd, false);
    if (const int timer = timers::with_fd(fd); timer >= 0) timers::drop(timer);
  }
  return real().close(fd);
}

}  // namespace snarl::runtime
