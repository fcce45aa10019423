#include "runtime/simulated/signals.h"

#include <errno.h>
#include <fcntl.h>

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/outside.h"
#include "runtime/state/state.h"

namespace snarl::runtime::signals {

namespace {

SNARL_PROCESS_STATE bool has_children;

// Its OS thread may not have run yet; it will. Fibers have the carrier's, which is the process's first.
int tid_of(const Thread& target) {
  if (under_way.on_fibers) return static_cast<int>(raw::call(SYS_getpid));
  while (__atomic_load_n(&target.tid, __ATOMIC_ACQUIRE) == 0) raw::call(SYS_sched_yield);
  return target.tid;
}

uint64_t hex_at(const char* text) {
  uint64_t value = 0;
  for (;; ++text) {
    const char c = *text;
    const bool digit = c >= '0' && c <= '9', letter = c >= 'a' && c <= 'f';
    if (!digit && !letter) return value;
    value = value * 16 + static_cast<uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
}

// The kernel knows best what a thread blocks: masks also change by sigreturn and siglongjmp.
uint64_t blocked_by(const Thread& thread) {
  if (under_way.on_fibers) return fiber::mask_of(thread);
  char path[48] = "/proc/self/task/";
  char* end = path + 16;
  raw::put_number(end, tid_of(thread));
  for (const char* suffix = "/status"; *suffix != '\0';) *end++ = *suffix++;
  *end = '\0';
  char text[4096];
  const long file = raw::call(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
  const long size = file < 0 ? 0 : raw::call(SYS_read, file, text, sizeof text - 1);
  if (file >= 0) raw::call(SYS_close, file);
  text[size > 0 ? size : 0] = '\0';
  for (const char* at = text; *at != '\0'; ++at)
    if (at[0] == 'S' && at[1] == 'i' && at[2] == 'g' && at[3] == 'B' && at[4] == 'l' && at[5] == 'k')
      return hex_at(at + 8);
  return 0;
}

// The kernel lets nobody claim towards another thread that kill or tgkill was called; then tgkill it is.
void give_to_kernel(const Thread& target, const siginfo_t& info) {
  const long process = raw::call(SYS_getpid);
  if (raw::call(SYS_rt_tgsigqueueinfo, process, tid_of(target), info.si_signo, &info) == 0) return;
  raw::call(SYS_tgkill, process, tid_of(target), info.si_signo);
}

// The kernel runs the handler before this returns.
void run_handler(Thread& self, const siginfo_t& info) {
  Callback callback(self);
  give_to_kernel(self, info);
}

bool is_real_time(int signal) { return signal >= 32; }

// A second one of the same kind is lost, unless it is a real-time signal.
int keep(uint16_t& list, const siginfo_t& info) {
  if (!is_real_time(info.si_signo) && is_queued(list, info.si_signo)) return 0;
  return enqueue(list, info) ? 0 : EAGAIN;
}

// Until the target unblocks it or waits for it. The kernel, which has one list for all fibers, learns of it then.
int leave_blocked(Thread& target, const siginfo_t& info) {
  target.blocked_signals |= bit_of(info.si_signo);
  if (under_way.on_fibers) return keep(target.held_signals, info);
  give_to_kernel(target, info);
  return 0;
}

// What it does by default, it does to the whole process, whatever the calling thread blocks.
void do_default(Thread& target, const siginfo_t& info) {
  const uint64_t bit = bit_of(info.si_signo);
  uint64_t before = 0;
  give_to_kernel(target, info);
  if (!under_way.on_fibers) return;
  raw::call(SYS_rt_sigprocmask, SIG_UNBLOCK, &bit, &before, sizeof before);
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &before, 0, sizeof before);
}

int post_or_error(Thread& target, const siginfo_t& info) {
  const int signal = info.si_signo;
  if ((blocked_by(target) & bit_of(signal)) != 0) return leave_blocked(target, info);
  if (is_ignored(signal)) return 0;
  if (!has_handler(signal)) {
    do_default(target, info);
    return 0;
  }
  const int error = keep(target.sent_signals, info);
  if (error == 0) engine::conductor().model().interrupt(target.id);
  return error;
}

// As the kernel does: main if it can, otherwise the first that can. Null: all block it.
Thread* taker_of(int signal) {
  ThreadId taker = kNoThread;
  engine::conductor().model().live().for_each([&](ThreadId t) {
    if (taker == kNoThread && (blocked_by(thread_at(t)) & bit_of(signal)) == 0) taker = t;
  });
  return taker == kNoThread ? nullptr : &thread_at(taker);
}

// For whoever waits for it, or unblocks it.
int leave_pending(const siginfo_t& info) {
  const long process = raw::call(SYS_getpid);
  if (info.si_code != SI_QUEUE) return static_cast<int>(-raw::call(SYS_kill, process, info.si_signo));
  return static_cast<int>(-raw::call(SYS_rt_sigqueueinfo, process, info.si_signo, &info));
}

}  // namespace

int send(Thread& self, Thread& target, const siginfo_t& info) {
  if (&target != &self) target.was_sent_to = true;
  if (&target != &self || (blocked_by(self) & bit_of(info.si_signo)) != 0) return post_or_error(target, info);
  run_handler(self, info);
  return 0;
}

int send_to_process(Thread& self, const siginfo_t& info) {
  Thread* taker = taker_of(info.si_signo);
  return taker != nullptr ? send(self, *taker, info) : leave_pending(info);
}

bool post(Thread& target, const siginfo_t& info) {
  post_or_error(target, info);
  return is_queued(target.sent_signals, info.si_signo);
}

bool post_to_process(const siginfo_t& info) {
  Thread* taker = taker_of(info.si_signo);
  if (taker != nullptr) return post(*taker, info);
  leave_pending(info);
  return false;
}

int deliver(Thread& self, Interrupts interrupts) {
  const int none_ran = interrupts == Interrupts::kUnlessRestart ? ERESTART : 0;
  if (self.sent_signals == 0) return none_ran;
  const siginfo_t info = dequeue(self.sent_signals);
  if (self.sent_signals != 0) engine::conductor().model().interrupt(self.id);
  const uint32_t before = self.handlers_run;
  const bool restart = restarts(info.si_signo);
  if ((blocked_by(self) & bit_of(info.si_signo)) != 0) self.blocked_signals |= bit_of(info.si_signo);
  run_handler(self, info);
  if (self.handlers_run == before) return none_ran;
  if (interrupts == Interrupts::kNever) return 0;
  return restart && interrupts == Interrupts::kUnlessRestart ? ERESTART : EINTR;
}

Op handler_op(const Thread& self, const Op& interrupted) {
  return Op{
      .kind = OpKind::kHandler, .object = static_cast<uint64_t>(first_in(self.sent_signals)), .pc = interrupted.pc};
}

void come(Thread& self, int signal) {
  __atomic_fetch_or(&self.come_signals, bit_of(signal), __ATOMIC_ACQ_REL);
  __atomic_store_n(&under_way.signals_came, true, __ATOMIC_RELEASE);
}

// Among fibers the kernel sees one thread, which is whoever waits for all: the signal may be for another.
void send_again() {
  __atomic_store_n(&under_way.signals_came, false, __ATOMIC_RELEASE);
  engine::conductor().model().live().for_each([](ThreadId t) {
    Thread& thread = thread_at(t);
    const uint64_t come = __atomic_exchange_n(&thread.come_signals, 0, __ATOMIC_ACQ_REL);
    for (uint64_t rest = come; rest != 0; rest &= rest - 1) {
      siginfo_t info = {};
      info.si_signo = __builtin_ctzll(rest) + 1;
      info.si_code = SI_USER;
      Thread* taker = under_way.on_fibers ? taker_of(info.si_signo) : &thread;
      if (taker == nullptr) taker = &thread;
      if (enqueue(taker->sent_signals, info)) engine::conductor().model().interrupt(taker->id);
    }
  });
}

uint64_t blocked_by_all() {
  uint64_t all = ~uint64_t{0};
  engine::conductor().model().live().for_each([&all](ThreadId t) { all &= blocked_by(thread_at(t)); });
  return all;
}

bool may_come() { return has_children; }
void expect_from_outside() {
  has_children = true;
  note_expectation();
}

void give_held(Thread& self, uint64_t wanted) {
  uint16_t kept = 0;
  while (self.held_signals != 0) {
    const siginfo_t info = dequeue(self.held_signals);
    if ((bit_of(info.si_signo) & wanted) != 0)
      give_to_kernel(self, info);
    else
      enqueue(kept, info);
  }
  self.held_signals = kept;
}

uint64_t held(const Thread& self) { return set_of(self.held_signals); }

void before_unblocking(Thread& self, uint64_t mask) {
  if (!under_way.on_fibers) return;
  fiber::let_masks_differ(fiber::own_mask());
  give_held(self, ~mask);
}

TemporaryMask::TemporaryMask(Thread& self, const sigset_t* mask) : used_(mask != nullptr) {
  if (!used_) return;
  const uint32_t handled = self.handlers_run;
  uint64_t wanted = 0;
  raw::copy(&wanted, mask, sizeof wanted);
  before_unblocking(self, wanted);
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, mask, &before_, sizeof before_);
  interrupted_ = self.handlers_run != handled;
}

TemporaryMask::~TemporaryMask() {
  if (used_) raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &before_, 0, sizeof before_);
}

}  // namespace snarl::runtime::signals
