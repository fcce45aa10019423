// Reading, writing and connecting on what may wait: pipes, sockets, eventfd, timerfd.
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/hooks/await.h"
#include "runtime/platform/descriptors.h"
#include "runtime/simulated/outside.h"
#include "runtime/simulated/randomness.h"
#include "runtime/simulated/timers.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

// Waits for the descriptor if the call is a point and could block. False, with errno, if a signal
// handler ended the wait.
bool before(int fd, short events, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr || !may_wait(fd)) return true;
  if (await(*self, Readiness{.fd = fd, .events = events, .own = is_own(fd)}, pc) != EINTR) return true;
  errno = EINTR;
  return false;
}

bool before_unless(bool at_once, int fd, short events, uint64_t pc) { return at_once || before(fd, events, pc); }

// A descriptor that is ready to be written takes this much without blocking (POSIX's PIPE_BUF
// for pipes); a longer blocking write is not atomic anyway.
constexpr size_t kAtomic = 4096;

ssize_t write_in_parts(int fd, const char* data, size_t size, uint64_t pc) {
  size_t done = 0;
  do {
    if (!before(fd, POLLOUT, pc)) return done > 0 ? static_cast<ssize_t>(done) : -1;
    const ssize_t part = real().write(fd, data + done, size - done < kAtomic ? size - done : kAtomic);
    if (part < 0) return done > 0 ? static_cast<ssize_t>(done) : part;
    done += static_cast<size_t>(part);
  } while (done < size);
  return static_cast<ssize_t>(done);
}

}  // namespace

SNARL_HOOK ssize_t read(int fd, void* data, size_t size) {
  if (randomness::is_device(fd) && randomness::fill(data, size)) return static_cast<ssize_t>(size);
  if (!before(fd, POLLIN, SNARL_PC)) return -1;
  const ssize_t got = real().read(fd, data, size);
  const int timer = got == sizeof(uint64_t) && current != nullptr ? timers::with_fd(fd) : -1;
  if (timer >= 0) *static_cast<uint64_t*>(data) += timers::read_from(timer);
  return got;
}

SNARL_HOOK ssize_t __read_chk(int fd, void* data, size_t size, size_t room) {
  if (size <= room && randomness::is_device(fd) && randomness::fill(data, size)) return static_cast<ssize_t>(size);
  if (!before(fd, POLLIN, SNARL_PC)) return -1;
  return real().__read_chk(fd, data, size, room);
}

SNARL_HOOK ssize_t readv(int fd, const iovec* parts, int count) {
  if (!before(fd, POLLIN, SNARL_PC)) return -1;
  return real().readv(fd, parts, count);
}

SNARL_HOOK ssize_t recv(int fd, void* data, size_t size, int flags) {
  if (!before_unless((flags & MSG_DONTWAIT) != 0, fd, POLLIN, SNARL_PC)) return -1;
  return real().recv(fd, data, size, flags);
}

SNARL_HOOK ssize_t __recv_chk(int fd, void* data, size_t size, size_t room, int flags) {
  if (!before_unless((flags & MSG_DONTWAIT) != 0, fd, POLLIN, SNARL_PC)) return -1;
  return real().__recv_chk(fd, data, size, room, flags);
}

SNARL_HOOK ssize_t recvfrom(int fd, void* data, size_t size, int flags, sockaddr* from, socklen_t* length) {
  if (!before_unless((flags & MSG_DONTWAIT) != 0, fd, POLLIN, SNARL_PC)) return -1;
  return real().recvfrom(fd, data, size, flags, from, length);
}

SNARL_HOOK ssize_t recvmsg(int fd, msghdr* message, int flags) {
  if (!before_unless((flags & MSG_DONTWAIT) != 0, fd, POLLIN, SNARL_PC)) return -1;
  return real().recvmsg(fd, message, flags);
}

SNARL_HOOK int accept(int fd, sockaddr* from, socklen_t* length) {
  if (!before(fd, POLLIN, SNARL_PC)) return -1;
  return real().accept(fd, from, length);
}

SNARL_HOOK int accept4(int fd, sockaddr* from, socklen_t* length, int flags) {
  if (!before(fd, POLLIN, SNARL_PC)) return -1;
  return real().accept4(fd, from, length, flags);
}

SNARL_HOOK ssize_t write(int fd, const void* data, size_t size) {
  if (at_point() == nullptr || !may_wait(fd)) return real().write(fd, data, size);
  return write_in_parts(fd, static_cast<const char*>(data), size, SNARL_PC);
}

SNARL_HOOK ssize_t send(int fd, const void* data, size_t size, int flags) {
  if (!before_unless((flags & MSG_DONTWAIT) != 0, fd, POLLOUT, SNARL_PC)) return -1;
  return real().send(fd, data, size, flags);
}

SNARL_HOOK ssize_t sendto(int fd, const void* data, size_t size, int flags, const sockaddr* to, socklen_t length) {
  if (!before_unless((flags & MSG_DONTWAIT) != 0, fd, POLLOUT, SNARL_PC)) return -1;
  return real().sendto(fd, data, size, flags, to, length);
}

SNARL_HOOK ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  if (!before_unless((flags & MSG_DONTWAIT) != 0, fd, POLLOUT, SNARL_PC)) return -1;
  return real().sendmsg(fd, message, flags);
}

}  // namespace snarl::runtime
