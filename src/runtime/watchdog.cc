#include "runtime/watchdog.h"

#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/ending.h"
#include "runtime/endless.h"
#include "runtime/engine.h"
#include "runtime/fiber/fibers.h"
#include "runtime/raw.h"
#include "runtime/readiness.h"
#include "runtime/real.h"
#include "runtime/task.h"
#include "runtime/turn.h"

namespace snarl::watchdog {

uint64_t* arrivals = nullptr;

namespace {

constexpr uint64_t kLastSlice = 10'000'000;          // ns; a thread that spins is cut shorter each time, down to this

wire::Patience patience;
ThreadId watcher;
uint64_t seen_arrivals;  // what the watcher saw last ...
uint32_t sleeping_looks;      // ... and how often in a row it found the thread asleep since
uint64_t slice;          // CPU time after which the running thread is stopped
uint64_t cpu_at_first_look;

// The kernel's clock of another thread's CPU time (the encoding behind pthread_getcpuclockid).
uint64_t cpu_time_of(int tid) {
  timespec time = {};
  const clockid_t id = static_cast<clockid_t>((~static_cast<unsigned>(tid) << 3) | 6u);
  raw::call(SYS_clock_gettime, id, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// One who writes what the explorer reads is not, nor one who woke up meanwhile.
bool is_blocked(int tid) {
  const task::Call call = task::call_of(tid);
  if (call.number == SYS_write || call.number == SYS_writev) return !is_output(static_cast<int>(call.first));
  return call.number != task::kNoCall;
}

void forget(const Thread& running) {
  sleeping_looks = 0;
  cpu_at_first_look = cpu_time_of(running.tid);
}

// The explorer, who looks after fibers, does not see quiet points go by.
bool has_passed_points() {
  if (!fibers::on || !quiet::wanted) return false;
  const uint64_t before = seen_arrivals;
  seen_arrivals = quiet::progress(*arrivals);
  return seen_arrivals != before;
}

// Whoever reads the report wants to know where.
[[noreturn]] void end_endless(Thread& self, const ucontext_t& stopped) {
  engine::shared->state.fault_pc = static_cast<uint64_t>(stopped.uc_mcontext.gregs[REG_RIP]);
  fail_run(self, OutcomeKind::kLivelock, nullptr);
}

// On the thread that computes: a step that does nothing, as if it had yielded. One who is alone has nobody to give way to.
void on_signal(int, siginfo_t*, void* context) {
  Thread* self = current;
  if (self == nullptr || self->inside != 0 || turn::holder() != self->id) return;
  if (has_passed_points()) return endless::forget();
  const auto& stopped = *static_cast<const ucontext_t*>(context);
  if (endless::is_so(*self, stopped)) end_endless(*self, stopped);
  self->stopped_at = static_cast<uint64_t>(stopped.uc_mcontext.gregs[REG_RIP]) + 1;
  if (engine::conductor().model().live_count() > 1) engine::give_way(*self);
  self->stopped_at = 0;
  has_passed_points();  // but this one does not count
}

}  // namespace

void begin(const wire::Patience& given) {
  patience = given;
  watcher = kNoThread;
  arrivals = &engine::shared->state.on_fibers.arrivals;
  *arrivals = seen_arrivals = 0;
  slice = patience.slice;
  endless::begin();
}

void appoint(const Thread& self) { __atomic_store_n(&watcher, self.id, __ATOMIC_RELAXED); }
bool is_watching(const Thread& self) { return __atomic_load_n(&watcher, __ATOMIC_RELAXED) == self.id; }
void dismiss() { __atomic_store_n(&watcher, kNoThread, __ATOMIC_RELAXED); }
bool is_appointed() { return __atomic_load_n(&watcher, __ATOMIC_RELAXED) != kNoThread; }

void look(Thread& self) {
  const ThreadId holder = turn::holder();
  if (holder == kNoThread || holder == self.id) return;
  Thread& running = thread_at(holder);
  const uint64_t now = quiet::progress(__atomic_load_n(arrivals, __ATOMIC_RELAXED));
  if (now != seen_arrivals) {
    seen_arrivals = now;
    return forget(running);
  }
  if (task::is_asleep(running.tid)) {
    if (++sleeping_looks >= patience.blocked_after && is_blocked(running.tid)) engine::take_turn_from(running, self);
    return;
  }
  sleeping_looks = 0;
  if (cpu_time_of(running.tid) - cpu_at_first_look < slice) return;
  if (slice > kLastSlice) slice = slice / 2 > kLastSlice ? slice / 2 : kLastSlice;
  raw::call(SYS_tgkill, raw::call(SYS_getpid), running.tid, wire::kWayGivingSignal);
  forget(running);
}

void install() {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_RESTART | SA_NODEFER | SA_SIGINFO;  // on fibers, others run before the handler returns, and may be told too
  real().sigaction(wire::kWayGivingSignal, &action, nullptr);
}

}  // namespace snarl::watchdog
