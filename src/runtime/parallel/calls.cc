// Calls that may wait in the kernel, and the program's own futexes.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>

#include <tuple>

#include "runtime/parallel/guarded_call.h"
#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/platform/descriptors.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/outside.h"

namespace snarl::runtime::parallel {
namespace {

bool is_ready(int fd, short events) {
  pollfd look{fd, events, 0};
  return raw::call(SYS_poll, &look, 1, 0) != 0;
}

// While the call waits, the thread is not enabled. libc may cancel it there.
template <typename Call>
auto wait_outside(Thread& self, const Call& call) {
  struct Waiting {
    const Call& call;
    Thread& self;
    decltype(call()) result;
  } waiting{call, self, {}};
  SnarlGuardedCall guarded{[](void* at) { static_cast<Waiting*>(at)->result = static_cast<Waiting*>(at)->call(); },
                           [](void* at) { come_back(static_cast<Waiting*>(at)->self); }, &waiting};
  go_outside(self);
  snarl_guarded_call(&guarded);
  return waiting.result;
}

template <typename Call>
auto outside(Thread& self, bool waits, const Call& call) {
  arrive(self, OpKind::kIo, nullptr, self.caller);
  const auto result = waits ? wait_outside(self, call) : call();
  note(self);
  return result;
}

template <short kEvents, auto kFunction, typename... Arguments>
auto on_descriptor(int fd, Arguments... arguments) {
  const auto call = [=] { return (libc().*kFunction)(fd, arguments...); };
  Thread* self = me();
  return self == nullptr || !may_wait(fd) ? call() : outside(*self, !is_ready(fd, kEvents), call);
}

// Room for some of the data is not room for all: a pipe has room for so much at least when it has any.
template <auto kFunction, typename... Rest>
auto on_writing(int fd, const void* data, size_t size, Rest... rest) {
  const auto call = [=] { return (libc().*kFunction)(fd, data, size, rest...); };
  Thread* self = me();
  return self == nullptr || !may_wait(fd) ? call() : outside(*self, size > PIPE_BUF || !is_ready(fd, POLLOUT), call);
}

template <auto kFunction, typename... Arguments>
auto waiting(Arguments... arguments) {
  const auto call = [=] { return (libc().*kFunction)(arguments...); };
  Thread* self = me();
  return self == nullptr ? call() : outside(*self, true, call);
}

// stdio reads by calls that nobody can see; `stream` is the last argument.
template <auto kFunction, typename... Arguments>
auto on_stream(Arguments... arguments) {
  const auto call = [=] { return (libc().*kFunction)(arguments...); };
  Thread* self = me();
  const FILE* stream = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
  const bool waits = self != nullptr && stream != nullptr && stream->_IO_read_ptr >= stream->_IO_read_end &&
                     may_wait(stream->_fileno) && !is_ready(stream->_fileno, POLLIN);
  return waits ? outside(*self, true, call) : call();
}

int control_file(int fd, int command, long argument) {
  Thread* self = command == F_SETLKW || command == F_OFD_SETLKW ? me() : nullptr;
  const auto call = [=] { return libc().fcntl(fd, command, argument); };
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
void put_descriptor(R (*&slot)(int, A...)) {
  slot = on_descriptor<kEvents, kFunction, A...>;
}

template <auto kFunction, typename R, typename... A>
void put_writing(R (*&slot)(int, const void*, size_t, A...)) {
  slot = on_writing<kFunction, A...>;
}

template <auto kFunction, typename R, typename... A>
void put_waiting(R (*&slot)(A...)) {
  slot = waiting<kFunction, A...>;
}

template <auto kFunction, typename R, typename... A>
void put_stream(R (*&slot)(A...)) {
  slot = on_stream<kFunction, A...>;
}

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
  put_writing<&Real::write>(table.write);
  put_writing<&Real::send>(table.send);
  put_writing<&Real::sendto>(table.sendto);
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
  put_waiting<&Real::sigtimedwait>(table.sigtimedwait);
  put_waiting<&Real::sigsuspend>(table.sigsuspend);
  put_waiting<&Real::pause>(table.pause);
  put_waiting<&Real::flock>(table.flock);
  put_waiting<&Real::connect>(table.connect);
  put_waiting<&Real::msgrcv>(table.msgrcv);
  put_waiting<&Real::msgsnd>(table.msgsnd);
  put_waiting<&Real::sendfile>(table.sendfile);
  put_waiting<&Real::splice>(table.splice);
  put_waiting<&Real::system>(table.system);
  put_waiting<&Real::pclose>(table.pclose);
  put_stream<&Real::fgets>(table.fgets);
  put_stream<&Real::fgetc>(table.fgetc);
  put_stream<&Real::getc>(table.getc);
  put_stream<&Real::getline>(table.getline);
  put_stream<&Real::getdelim>(table.getdelim);
  put_stream<&Real::fread>(table.fread);
  table.fcntl = control_file;
  table.flockfile = lock_file;
  table.ftrylockfile = try_lock_file;
  table.funlockfile = unlock_file;
}

}  // namespace snarl::runtime::parallel
