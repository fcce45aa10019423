// Other calls that the kernel may let wait: file locks, connecting, message queues, copying between
// descriptors. Each becomes a step that is enabled when the call won't wait. What is not here (semop,
// opening a FIFO for reading, lockf) keeps the turn until the watchdog takes it away.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/hooks/await.h"
#include "runtime/platform/descriptors.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/outside.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

// False, with errno, if a signal handler ended the wait.
bool has_come(Thread& self, const Readiness& readiness, uint64_t pc) {
  if (await(self, readiness, pc) != EINTR) return true;
  errno = EINTR;
  return false;
}

struct FileLock {
  int fd, operation;
};

// There is no way to ask, only to take it; it is the descriptor's, so that anybody may take it for
// the one who waits, and taking it twice is taking it once.
bool flock_ready(const Readiness& readiness) {
  const auto& lock = *static_cast<const FileLock*>(readiness.data);
  return raw::call(SYS_flock, lock.fd, lock.operation | LOCK_NB) != -EWOULDBLOCK;
}

struct RecordLock {
  int fd, command;
  const struct flock* wanted;
};

bool record_lock_ready(const Readiness& readiness) {
  const auto& lock = *static_cast<const RecordLock*>(readiness.data);
  struct flock there = *lock.wanted;
  const int ask = lock.command == F_SETLKW ? F_GETLK : F_OFD_GETLK;
  return raw::call(SYS_fcntl, lock.fd, ask, &there) != 0 || there.l_type == F_UNLCK;
}

struct Message {
  int queue;
  size_t size;
};

bool message_ready(const Readiness& readiness) {
  const auto& message = *static_cast<const Message*>(readiness.data);
  msqid_ds state = {};
  return raw::call(SYS_msgctl, message.queue, IPC_STAT, &state) != 0 || state.msg_qnum > 0;
}

bool room_ready(const Readiness& readiness) {
  const auto& message = *static_cast<const Message*>(readiness.data);
  msqid_ds state = {};
  if (raw::call(SYS_msgctl, message.queue, IPC_STAT, &state) != 0) return true;
  return state.__msg_cbytes + message.size <= state.msg_qbytes && state.msg_qnum < state.msg_qbytes;
}

bool lock_waits(int command) { return command == F_SETLKW || command == F_OFD_SETLKW; }

// The result of a connection that was begun without waiting.
int connected(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int fcntl_with(int fd, int command, long argument, uint64_t pc) {
  Thread* self = lock_waits(command) ? at_point(pc) : nullptr;
  if (self != nullptr) {
    const RecordLock lock{fd, command, reinterpret_cast<const struct flock*>(argument)};
    if (!has_come(*self, Readiness{.ready = record_lock_ready, .data = &lock}, pc)) return -1;
  }
  return real().fcntl(fd, command, argument);
}

}  // namespace

SNARL_HOOK int flock(int fd, int operation) noexcept {
  Thread* self = (operation & (LOCK_NB | LOCK_UN)) != 0 ? nullptr : at_point();
  const FileLock lock{fd, operation};
  if (self != nullptr && !has_come(*self, Readiness{.ready = flock_ready, .data = &lock}, SNARL_PC)) return -1;
  return real().flock(fd, operation);
}

SNARL_HOOK int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  return fcntl_with(fd, command, argument, SNARL_PC);
}

SNARL_HOOK int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  const long argument = va_arg(list, long);
  va_end(list);
  return fcntl_with(fd, command, argument, SNARL_PC);
}

// A local socket whose listener has no room says EAGAIN instead, and nothing tells when it has: the
// call waits then, without us.
SNARL_HOOK int connect(int fd, const sockaddr* address, socklen_t length) {
  Thread* self = at_point();
  if (self == nullptr || !may_wait(fd)) return real().connect(fd, address, length);
  const long status = raw::call(SYS_fcntl, fd, F_GETFL, 0);
  raw::call(SYS_fcntl, fd, F_SETFL, status | O_NONBLOCK);
  const int result = real().connect(fd, address, length);
  const int error = errno;
  raw::call(SYS_fcntl, fd, F_SETFL, status);
  errno = error;
  if (result == 0 || (error != EINPROGRESS && error != EAGAIN)) return result;
  if (error == EAGAIN) return real().connect(fd, address, length);
  if (!has_come(*self, Readiness{.fd = fd, .events = POLLOUT}, SNARL_PC)) return -1;
  return connected(fd);
}

// A message of a certain type can't be asked for.
SNARL_HOOK ssize_t msgrcv(int queue, void* data, size_t size, long type, int flags) {
  Thread* self = (flags & IPC_NOWAIT) != 0 || type != 0 ? nullptr : at_point();
  const Message message{queue, size};
  if (self != nullptr &&
      !has_come(*self, Readiness{.ready = message_ready, .data = &message, .interrupts = Interrupts::kAlways},
                SNARL_PC))
    return -1;
  return real().msgrcv(queue, data, size, type, flags);
}

SNARL_HOOK int msgsnd(int queue, const void* data, size_t size, int flags) {
  Thread* self = (flags & IPC_NOWAIT) != 0 ? nullptr : at_point();
  const Message message{queue, size};
  if (self != nullptr &&
      !has_come(*self, Readiness{.ready = room_ready, .data = &message, .interrupts = Interrupts::kAlways}, SNARL_PC))
    return -1;
  return real().msgsnd(queue, data, size, flags);
}

SNARL_HOOK ssize_t sendfile(int to, int from, off_t* offset, size_t size) noexcept {
  Thread* self = may_wait(to) ? at_point() : nullptr;
  if (self != nullptr && !has_come(*self, Readiness{.fd = to, .events = POLLOUT, .own = is_own(to)}, SNARL_PC))
    return -1;
  return real().sendfile(to, from, offset, size);
}

SNARL_HOOK ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset, size_t size, unsigned flags) {
  Thread* self = (flags & SPLICE_F_NONBLOCK) != 0 ? nullptr : at_point();
  if (self != nullptr && may_wait(from) &&
      !has_come(*self, Readiness{.fd = from, .events = POLLIN, .own = is_own(from)}, SNARL_PC))
    return -1;
  if (self != nullptr && may_wait(to) &&
      !has_come(*self, Readiness{.fd = to, .events = POLLOUT, .own = is_own(to)}, SNARL_PC))
    return -1;
  return real().splice(from, from_offset, to, to_offset, size, flags);
}

}  // namespace snarl::runtime
