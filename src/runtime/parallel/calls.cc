// Calls that may wait in the kernel, and the program's own futexes.
#include <errno.h>
#include <poll.h>

#include "runtime/parallel/desk.h"
#include "runtime/parallel/run.h"
#include "runtime/raw.h"
#include "runtime/readiness.h"

namespace snarl::parallel {
namespace {

bool is_ready(int fd, short events) {
  pollfd look{fd, events, 0};
  return raw::call(SYS_poll, &look, 1, 0) != 0;
}

// The thread is not enabled while the call waits.
template <typename Call>
auto outside(Thread& self, bool waits, Call&& call) {
  arrive(self, OpKind::kIo, nullptr, self.caller);
  const auto result = [&] {
    if (!waits) return call();
    Outside not_enabled(self);
    return call();
  }();
  note(self);
  return result;
}

template <short kEvents, auto kFunction, typename... Arguments>
auto on_descriptor(int fd, Arguments... arguments) {
  const auto call = [=] { return (libc().*kFunction)(fd, arguments...); };
  Thread* self = me();
  return self == nullptr || !may_wait(fd) ? call() : outside(*self, !is_ready(fd, kEvents), call);
}

template <auto kFunction, typename... Arguments>
auto waiting(Arguments... arguments) {
  const auto call = [=] { return (libc().*kFunction)(arguments...); };
  Thread* self = me();
  return self == nullptr ? call() : outside(*self, true, call);
}

// The stream's lock is also taken inside libc: only libc can tell when it is free.
void lock_file(FILE* stream) {
  Thread* self = me();
  if (self == nullptr) return libc().flockfile(stream);
  arrive(*self, OpKind::kLock, stream, self->caller);
  if (libc().ftrylockfile(stream) != 0) {
    Outside outside(*self);
    libc().flockfile(stream);
  }
  note(*self);
}

int try_lock_file(FILE* stream) {
  Thread* self = me();
  if (self == nullptr) return libc().ftrylockfile(stream);
  arrive(*self, OpKind::kTryLock, stream, self->caller);
  const int result = libc().ftrylockfile(stream);
  note(*self);
  return result;
}

void unlock_file(FILE* stream) {
  Thread* self = me();
  if (self == nullptr) return libc().funlockfile(stream);
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kUnlock, stream, pc);
  note(*self);
  libc().funlockfile(stream);
  arrive_after(*self, OpKind::kUnlock, stream, pc);
}

template <short kEvents, auto kFunction, typename R, typename... A>
void put_descriptor(R (*&slot)(int, A...)) { slot = on_descriptor<kEvents, kFunction, A...>; }

template <auto kFunction, typename R, typename... A>
void put_waiting(R (*&slot)(A...)) { slot = waiting<kFunction, A...>; }

}  // namespace

void install_calls(Real& table) {
  put_descriptor<POLLIN, &Real::read>(table.read);
  put_descriptor<POLLIN, &Real::__read_chk>(table.__read_chk);
  put_descriptor<POLLIN, &Real::readv>(table.readv);
  put_descriptor<POLLIN, &Real::recv>(table.recv);
  put_descriptor<POLLIN, &Real::__recv_chk>(table.__recv_chk);
  put_descriptor<POLLIN, &Real::recvfrom>(table.recvfrom);
  put_descriptor<POLLIN, &Real::recvmsg>(table.recvmsg);
  put_descriptor<POLLIN, &Real::accept>(table.accept);
  put_descriptor<POLLIN, &Real::accept4>(table.accept4);
  put_descriptor<POLLOUT, &Real::write>(table.write);
  put_descriptor<POLLOUT, &Real::send>(table.send);
  put_descriptor<POLLOUT, &Real::sendto>(table.sendto);
  put_descriptor<POLLOUT, &Real::sendmsg>(table.sendmsg);
  put_waiting<&Real::poll>(table.poll);
  put_waiting<&Real::__poll_chk>(table.__poll_chk);
  put_waiting<&Real::ppoll>(table.ppoll);
  put_waiting<&Real::select>(table.select);
  put_waiting<&Real::pselect>(table.pselect);
  put_waiting<&Real::epoll_wait>(table.epoll_wait);
  put_waiting<&Real::epoll_pwait>(table.epoll_pwait);
  put_waiting<&Real::wait>(table.wait);
  put_waiting<&Real::waitpid>(table.waitpid);
  put_waiting<&Real::wait3>(table.wait3);
  put_waiting<&Real::wait4>(table.wait4);
  put_waiting<&Real::waitid>(table.waitid);
  put_waiting<&Real::sigwait>(table.sigwait);
  put_waiting<&Real::sigwaitinfo>(table.sigwaitinfo);
  table.flockfile = lock_file;
  table.ftrylockfile = try_lock_file;
  table.funlockfile = unlock_file;
}

}  // namespace snarl::parallel
