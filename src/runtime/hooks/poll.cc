// Waiting for several descriptors at once. The thread waits for what the very call, asked
// without a timeout, would return.
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/hooks/await.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/clock.h"
#include "runtime/simulated/outside.h"
#include "runtime/simulated/signals.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

struct PollSet {
  pollfd* fds;
  nfds_t count;
};

// poll(2) writes only `revents`, which the program does not look at before the call returns.
bool poll_ready(const Readiness& readiness) {
  const auto& set = *static_cast<const PollSet*>(readiness.data);
  return raw::call(SYS_poll, set.fds, set.count, 0) != 0;
}

bool is_own_set(const PollSet& set) {
  for (nfds_t i = 0; i < set.count; ++i)
    if (set.fds[i].fd >= 0 && !is_own(set.fds[i].fd)) return false;
  return true;
}

struct SelectSet {
  int count;
  const fd_set *in, *out, *except;
};

bool select_ready(const Readiness& readiness) {
  const auto& set = *static_cast<const SelectSet*>(readiness.data);
  fd_set copies[3];
  fd_set* pointers[3] = {};
  const fd_set* originals[3] = {set.in, set.out, set.except};
  for (int i = 0; i < 3; ++i) {
    if (originals[i] == nullptr) continue;
    raw::copy(&copies[i], originals[i], sizeof copies[i]);
    pointers[i] = &copies[i];
  }
  timeval none = {};
  return raw::call(SYS_select, set.count, pointers[0], pointers[1], pointers[2], &none) != 0;
}

bool is_own_set(const SelectSet& set) {
  for (int fd = 0; fd < set.count; ++fd)
    for (const fd_set* fds : {set.in, set.out, set.except})
      if (fds != nullptr && FD_ISSET(fd, fds) && !is_own(fd)) return false;
  return true;
}

constexpr uint64_t kMillisecond = 1'000'000;

// False, with errno, if a signal handler ended the wait.
bool await_masked(Thread& self, Readiness readiness, const sigset_t* mask, uint64_t pc, bool timed, uint64_t deadline) {
  const signals::TemporaryMask masked(self, mask);
  readiness.interrupts = Interrupts::kAlways;
  if (!masked.has_interrupted() && await(self, readiness, pc, timed, deadline) != EINTR) return true;
  errno = EINTR;
  return false;
}

// A negative timeout waits forever; without one, it does not wait.
bool await_for(Thread& self, const Readiness& readiness, int milliseconds, uint64_t pc,
               const sigset_t* mask = nullptr) {
  const bool timed = milliseconds >= 0;
  return await_masked(self, readiness, mask, pc, timed,
                      timed ? clock::deadline_in(static_cast<uint64_t>(milliseconds) * kMillisecond) : 0);
}

bool await_for(Thread& self, const Readiness& readiness, const timespec* span, uint64_t pc,
               const sigset_t* mask = nullptr) {
  return await_masked(self, readiness, mask, pc, span != nullptr, span != nullptr ? clock::deadline_in(*span) : 0);
}

Thread* at_wait(bool waits, uint64_t pc) {
  Thread* self = at_point(pc);
  return waits && clock::is_virtual() ? self : nullptr;
}
bool waits(const timespec* span) { return span == nullptr || span->tv_sec != 0 || span->tv_nsec != 0; }

}  // namespace

SNARL_HOOK int poll(pollfd* fds, nfds_t count, int timeout) {
  Thread* self = at_wait(timeout != 0, SNARL_PC);
  if (self == nullptr) return real().poll(fds, count, timeout);
  const PollSet set{fds, count};
  if (!await_for(*self, Readiness{.ready = poll_ready, .data = &set, .own = is_own_set(set)}, timeout, SNARL_PC))
    return -1;
  return real().poll(fds, count, 0);
}

SNARL_HOOK int __poll_chk(pollfd* fds, nfds_t count, int timeout, size_t room) {
  Thread* self = at_wait(timeout != 0, SNARL_PC);
  if (self == nullptr) return real().__poll_chk(fds, count, timeout, room);
  const PollSet set{fds, count};
  if (!await_for(*self, Readiness{.ready = poll_ready, .data = &set, .own = is_own_set(set)}, timeout, SNARL_PC))
    return -1;
  return real().__poll_chk(fds, count, 0, room);
}

SNARL_HOOK int ppoll(pollfd* fds, nfds_t count, const timespec* span, const sigset_t* mask) {
  Thread* self = at_wait(waits(span), SNARL_PC);
  if (self == nullptr) return real().ppoll(fds, count, span, mask);
  const PollSet set{fds, count};
  if (!await_for(*self, Readiness{.ready = poll_ready, .data = &set, .own = is_own_set(set)}, span, SNARL_PC, mask))
    return -1;
  const timespec none = {};
  return real().ppoll(fds, count, &none, mask);
}

SNARL_HOOK int select(int count, fd_set* in, fd_set* out, fd_set* except, timeval* time) {
  const timespec span = time == nullptr ? timespec{} : timespec{time->tv_sec, time->tv_usec * 1000};
  Thread* self = at_wait(time == nullptr || waits(&span), SNARL_PC);
  if (self == nullptr) return real().select(count, in, out, except, time);
  const SelectSet set{count, in, out, except};
  if (!await_for(*self, Readiness{.ready = select_ready, .data = &set, .own = is_own_set(set)},
                 time == nullptr ? nullptr : &span, SNARL_PC))
    return -1;
  timeval none = {};
  return real().select(count, in, out, except, &none);
}

SNARL_HOOK int pselect(int count, fd_set* in, fd_set* out, fd_set* except, const timespec* span, const sigset_t* mask) {
  Thread* self = at_wait(waits(span), SNARL_PC);
  if (self == nullptr) return real().pselect(count, in, out, except, span, mask);
  const SelectSet set{count, in, out, except};
  if (!await_for(*self, Readiness{.ready = select_ready, .data = &set, .own = is_own_set(set)}, span, SNARL_PC, mask))
    return -1;
  const timespec none = {};
  return real().pselect(count, in, out, except, &none, mask);
}

SNARL_HOOK int epoll_wait(int fd, epoll_event* events, int most, int timeout) {
  Thread* self = at_wait(timeout != 0, SNARL_PC);
  if (self == nullptr) return real().epoll_wait(fd, events, most, timeout);
  if (!await_for(*self, Readiness{.fd = fd, .events = POLLIN, .own = is_own(fd)}, timeout, SNARL_PC)) return -1;
  return real().epoll_wait(fd, events, most, 0);
}

SNARL_HOOK int epoll_pwait(int fd, epoll_event* events, int most, int timeout, const sigset_t* mask) {
  Thread* self = at_wait(timeout != 0, SNARL_PC);
  if (self == nullptr) return real().epoll_pwait(fd, events, most, timeout, mask);
  if (!await_for(*self, Readiness{.fd = fd, .events = POLLIN, .own = is_own(fd)}, timeout, SNARL_PC, mask)) return -1;
  return real().epoll_pwait(fd, events, most, 0, mask);
}

}  // namespace snarl::runtime
