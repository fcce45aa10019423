// Sending signals to the program itself, and waiting for them.
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <utility>

#include "base/hash.h"
#include "base/rng.h"
#include "runtime/fiber/fibers.h"
#include "runtime/hooks/await.h"
#include "runtime/platform/raw.h"
#include "runtime/run/fatal_signals.h"
#include "runtime/run/point.h"
#include "runtime/simulated/clock.h"
#include "runtime/simulated/signals.h"
#include "runtime/simulated/timers.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

int failed(int error) {
  errno = error;
  return -1;
}

bool is_signal(int signal) { return signal > 0 && signal <= 64; }
bool is_self(pid_t pid) { return pid == static_cast<pid_t>(raw::call(SYS_getpid)); }

siginfo_t info_of(int signal, int code) {
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = static_cast<pid_t>(raw::call(SYS_getpid));
  info.si_uid = static_cast<uid_t>(raw::call(SYS_getuid));
  return info;
}

// The step of sending; `target` null: to the process. errno-style result.
int send(Thread& self, Thread* target, const siginfo_t& info, uint64_t pc) {
  Inside inside(self);
  Op op{.kind = OpKind::kKill, .object = static_cast<uint64_t>(info.si_signo), .pc = pc};
  if (target != nullptr) op.thread = target->id;
  engine::point(self, op);
  if (info.si_signo == SIGKILL) note_own_kill(self, pc);
  const bool ended = target != nullptr && engine::conductor().model().has_ended(target->id);
  const int error = ended               ? 0
                    : target != nullptr ? signals::send(self, *target, info)
                                        : signals::send_to_process(self, info);
  engine::point_after(self, op);
  return error;
}

// For calls that are not steps: those of parallel runs, and those to all of our process group.
void note_real(bool to_us, int signal, uint64_t pc) {
  if (signal == SIGKILL && to_us && current != nullptr) note_own_kill(*current, pc);
}

// Us, and perhaps others.
bool is_our_group(pid_t pid) { return pid == 0 || pid == -static_cast<pid_t>(raw::call(SYS_getpgid, 0)); }

struct SignalWait {
  uint64_t wanted;  // bit s-1
  const Thread* self;
};

// Those who wait for a signal of the process have it blocked in every thread, so that it is
// pending for whoever looks; what was sent to one thread only, we have seen being sent.
bool signal_ready(const Readiness& readiness) {
  const auto& wait = *static_cast<const SignalWait*>(readiness.data);
  uint64_t pending = 0;
  raw::call(SYS_rt_sigpending, &pending, sizeof pending);
  return (wait.wanted & (pending | wait.self->blocked_signals)) != 0;
}

// 0, EINTR or, if `timed`, ETIMEDOUT.
int await_signal(const sigset_t* set, Interrupts interrupts, uint64_t pc, bool timed = false, uint64_t deadline = 0) {
  Thread* self = at_point(pc);
  if (self == nullptr) return 0;
  SignalWait wait{0, self};
  raw::copy(&wait.wanted, set, sizeof wait.wanted);
  return await(*self, Readiness{.ready = signal_ready, .data = &wait, .interrupts = interrupts, .own = true}, pc, timed,
               deadline);
}

uint64_t bits_of(const sigset_t& set) {
  uint64_t bits;
  raw::copy(&bits, &set, sizeof bits);
  return bits;
}

// What the calling thread was sent while it blocked it, and now takes.
void give_held(const sigset_t* set) {
  if (Thread* self = current) signals::give_held(*self, bits_of(*set));
}

// Our own signal is never blocked: a thread that computes for ever could not be told. Nor is SIGTRAP, as an int3 may
// stand for a jump (runtime/patch).
int change_mask(int how, const sigset_t* set, sigset_t* old, int (*change)(int, const sigset_t*, sigset_t*)) {
  Thread* self = current;
  if (self == nullptr || set == nullptr) return change(how, set, old);
  sigset_t wanted = *set;
  if (how != SIG_UNBLOCK) sigdelset(&wanted, wire::kWayGivingSignal), signals::keep_unblocked(wanted);
  if (under_way.on_fibers) {
    const uint64_t now = fiber::own_mask(), bits = bits_of(wanted);
    signals::before_unblocking(*self, how == SIG_SETMASK ? bits : how == SIG_BLOCK ? now | bits : now & ~bits);
  }
  return change(how, &wanted, old);
}

int taken(int signal) {
  Thread* self = current;
  if (self == nullptr || signal <= 0) return signal;
  self->blocked_signals &= ~signals::bit_of(signal);
  timers::taken(signal);
  return signal;
}

bool never(const Readiness&) { return false; }

// Until a handler has run.
int await_handler(Thread& self, uint64_t pc) {
  await(self, Readiness{.ready = never, .interrupts = Interrupts::kAlways, .own = true}, pc);
  return failed(EINTR);
}

// Between the program's last look at a flag and pause() there need be no point, and yet the handler may run there: then
// pause() waits for another signal. So one that another thread sent came before the sleep or ended it, as the seed
// says; but after a while the thread sleeps for certain. What comes from outside always ends it: there is no second
// one.
bool came_before_sleep(Thread& self, uint64_t since) {
  constexpr uint64_t kWhile = 100'000;
  const model::Model& model = engine::conductor().model();
  if (!std::exchange(self.was_sent_to, false) || model.now() - since > kWhile) return false;
  const RunKey& key = engine::shared->command.key;
  return (Rng(key.seed, key.index, Stream::kProgram, combine(model.name(self.id), self.handlers_run)).next() & 1) != 0;
}

}  // namespace

SNARL_HOOK int pthread_kill(pthread_t handle, int signal) noexcept {
  Thread* self = at_point();
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr || !is_signal(signal)) {
    note_real(true, signal, SNARL_PC);
    return real().pthread_kill(handle, signal);
  }
  return send(*self, target, info_of(signal, SI_TKILL), SNARL_PC);
}

SNARL_HOOK int pthread_sigqueue(pthread_t handle, int signal, const sigval value) noexcept {
  Thread* self = at_point();
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr || !is_signal(signal)) return real().pthread_sigqueue(handle, signal, value);
  siginfo_t info = info_of(signal, SI_QUEUE);
  info.si_value = value;
  return send(*self, target, info, SNARL_PC);
}

SNARL_HOOK int tgkill(pid_t process, pid_t tid, int signal) {
  Thread* self = at_point();
  Thread* target = self == nullptr || !is_self(process) ? nullptr : thread_with_tid(tid);
  if (target == nullptr || !is_signal(signal)) {
    note_real(is_self(process), signal, SNARL_PC);
    return real().tgkill(process, tid, signal);
  }
  const int error = send(*self, target, info_of(signal, SI_TKILL), SNARL_PC);
  return error == 0 ? 0 : failed(error);
}

SNARL_HOOK int raise(int signal) noexcept {
  Thread* self = at_point();
  if (self == nullptr || !is_signal(signal)) {
    note_real(true, signal, SNARL_PC);
    return real().raise(signal);
  }
  const int error = send(*self, self, info_of(signal, SI_TKILL), SNARL_PC);
  return error == 0 ? 0 : failed(error);
}

SNARL_HOOK int kill(pid_t pid, int signal) noexcept {
  Thread* self = at_point();
  if (self == nullptr || !is_self(pid) || !is_signal(signal)) {
    note_real(is_self(pid) || is_our_group(pid), signal, SNARL_PC);
    return real().kill(pid, signal);
  }
  const int error = send(*self, nullptr, info_of(signal, SI_USER), SNARL_PC);
  return error == 0 ? 0 : failed(error);
}

SNARL_HOOK int sigqueue(pid_t pid, int signal, const sigval value) noexcept {
  Thread* self = at_point();
  if (self == nullptr || !is_self(pid) || !is_signal(signal)) return real().sigqueue(pid, signal, value);
  siginfo_t info = info_of(signal, SI_QUEUE);
  info.si_value = value;
  const int error = send(*self, nullptr, info, SNARL_PC);
  return error == 0 ? 0 : failed(error);
}

SNARL_HOOK int sigwait(const sigset_t* set, int* signal) {
  await_signal(set, Interrupts::kNever, SNARL_PC);
  give_held(set);
  const int error = real().sigwait(set, signal);
  if (error == 0) taken(*signal);
  return error;
}

SNARL_HOOK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (await_signal(set, Interrupts::kAlways, SNARL_PC) == EINTR) return failed(EINTR);
  give_held(set);
  return taken(real().sigwaitinfo(set, info));
}

SNARL_HOOK int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* span) {
  const bool waits = span == nullptr || span->tv_sec != 0 || span->tv_nsec != 0;
  if (!waits || !clock::is_virtual() || (span != nullptr && !clock::is_valid(*span))) {
    give_held(set);
    return taken(real().sigtimedwait(set, info, span));
  }
  const uint64_t deadline = span == nullptr ? 0 : clock::deadline_in(*span);
  if (await_signal(set, Interrupts::kAlways, SNARL_PC, span != nullptr, deadline) == EINTR) return failed(EINTR);
  const timespec none = {};
  give_held(set);
  return taken(real().sigtimedwait(set, info, &none));
}

SNARL_HOOK int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change_mask(how, set, old, real().pthread_sigmask);
}

SNARL_HOOK int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  return change_mask(how, set, old, real().sigprocmask);
}

SNARL_HOOK int sigpending(sigset_t* set) noexcept {
  const int result = real().sigpending(set);
  const uint64_t held = current == nullptr ? 0 : signals::held(*current);
  for (int signal = 1; result == 0 && signal <= 64; ++signal)
    if ((held & signals::bit_of(signal)) != 0) sigaddset(set, signal);
  return result;
}

SNARL_HOOK int sigsuspend(const sigset_t* mask) {
  Thread* self = at_point();
  if (self == nullptr) return real().sigsuspend(mask);
  const signals::TemporaryMask masked(*self, mask);
  return masked.has_interrupted() ? failed(EINTR) : await_handler(*self, SNARL_PC);
}

SNARL_HOOK int pause() {
  Thread* self = at_point();
  if (self == nullptr) return real().pause();
  const uint64_t since = engine::conductor().model().now();
  if (self->sent_signals == 0) self->was_sent_to = false;
  do await_handler(*self, SNARL_PC);
  while (came_before_sleep(*self, since));
  return failed(EINTR);
}

}  // namespace snarl::runtime
