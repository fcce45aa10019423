#include "runtime/watch/watchdog.h"

#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/state_marks.h"
#include "runtime/parallel/last_resort.h"
#include "runtime/patch/rounds.h"
#include "runtime/platform/descriptors.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/platform/task.h"
#include "runtime/run/ending.h"
#include "runtime/run/lifecycle.h"
#include "runtime/state/spin_places.h"
#include "runtime/state/state.h"
#include "runtime/state/turn.h"
#include "runtime/state/watcher.h"
#include "runtime/watch/endless.h"

namespace snarl::runtime::watchdog {

namespace {

constexpr uint64_t kLastSlice = 10'000'000;  // ns; a thread that spins is stopped more often each time, down to this

SNARL_RUN_STATE Patience patience;
SNARL_RUN_STATE uint64_t seen_arrivals;   // what the watcher saw last ...
SNARL_RUN_STATE uint32_t sleeping_looks;  // ... and how often in a row it found the thread asleep since
SNARL_RUN_STATE uint64_t slice;           // CPU time after which the running thread is stopped

// Since when the stopped thread computes, by its CPU time.
SNARL_RUN_STATE struct {
  ThreadId who;
  uint64_t points;  // that had been reached by then
  uint64_t since;
} computing;
SNARL_RUN_STATE uint64_t cpu_at_first_look;

void forget(const Thread& running) {
  sleeping_looks = 0;
  cpu_at_first_look = task::cpu_time_of(running.tid);
}

// The explorer, who looks after fibers, does not see quiet points go by.
bool has_passed_points() {
  if (!under_way.on_fibers || !quiet::wanted) return false;
  const uint64_t before = seen_arrivals;
  seen_arrivals = quiet::progress(*under_way.arrivals);
  return seen_arrivals != before;
}

uint64_t own_cpu_time() {
  timespec time = {};
  raw::call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t pc_in(const void* context) {
  return static_cast<uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

// Whoever reads the report wants to know where.
[[noreturn]] void end_endless(Thread& self, const ucontext_t& stopped) {
  engine::shared->state.fault_pc = pc_in(&stopped);
  fail_run(self, OutcomeKind::kLivelock, nullptr);
}

// Real work is left alone, for long: time is no part of a policy (PLDI'12, section 3.1.3). Whoever runs in a circle, is
// where somebody did so before, or computes longer than any work should take, may be waiting for another.
bool has_to_make_way(const Thread& self, uint64_t pc) {
  const uint64_t now = own_cpu_time(), points = quiet::progress(*under_way.arrivals);
  if (computing.who != self.id || computing.points != points) computing = {self.id, points, now - first_stop(patience)};
  if (spin_places::is_known(pc)) return true;
  if (now - computing.since < patience.slice && !endless::runs_in_a_circle(self)) return false;
  spin_places::learn(pc);
  return true;
}

// A step that does nothing, as if the thread had yielded.
void make_way(Thread& self, uint64_t pc) {
  self.stopped_at = pc + 1;
  engine::give_way(self);
  self.stopped_at = 0;
  has_passed_points();  // but this one does not count
}

// On the thread that computes. One who is alone has nobody to give way to. Others are recorded first: whose rounds are
// equal is to make way at once, and its loop can have a point from the next epoch on.
void on_signal(int, siginfo_t*, void* context) {
  Thread* self = current;
  auto& stopped = *static_cast<ucontext_t*>(context);
  if (self != nullptr && runs_in_parallel()) return parallel::stop_here(*self, stopped);
  if (self == nullptr || self->inside != 0 || turn::holder() != self->id || patch::rounds::is_under_way()) return;
  if (patch::rounds::take_recorded()) {
    spin_places::learn(pc_in(&stopped));
    return make_way(*self, pc_in(&stopped));
  }
  if (has_passed_points()) return endless::forget();
  if (endless::is_so(*self, stopped)) end_endless(*self, stopped);
  if (engine::conductor().model().live_count() < 2) return;
  const bool has_to = has_to_make_way(*self, pc_in(&stopped));
  if (!patch::rounds::record(stopped, has_to) && has_to) make_way(*self, pc_in(&stopped));
}

// One look, by the watching thread, when its gate has stayed closed for kLookEvery.
void look(Thread& self) {
  const ThreadId holder = turn::holder();
  if (holder == kNoThread || holder == self.id) return;
  Thread& running = thread_at(holder);
  const uint64_t now = quiet::progress(__atomic_load_n(under_way.arrivals, __ATOMIC_RELAXED));
  if (now != seen_arrivals) {
    seen_arrivals = now;
    return forget(running);
  }
  if (task::is_asleep(running.tid)) {
    if (++sleeping_looks >= patience.blocked_after && is_blocked(running.tid)) engine::take_turn_from(running, self);
    return;
  }
  sleeping_looks = 0;
  if (task::cpu_time_of(running.tid) - cpu_at_first_look < slice) return;
  if (slice > kLastSlice) slice = slice / 2 > kLastSlice ? slice / 2 : kLastSlice;
  raw::call(SYS_tgkill, raw::call(SYS_getpid), running.tid, wire::kWayGivingSignal);
  forget(running);
}

void begin_run(const Patience& given) {
  patience = given;
  watcher::dismiss();
  under_way.look = look;
  under_way.arrivals = &engine::shared->state.on_fibers.arrivals;
  *under_way.arrivals = seen_arrivals = 0;
  slice = first_stop(patience);
  computing = {kNoThread, 0, 0};
  endless::begin();
}

}  // namespace

void install() {
  watcher::begin = begin_run;
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags =
      SA_RESTART | SA_NODEFER | SA_SIGINFO;  // on fibers, others run before the handler returns, and may be told too
  real().sigaction(wire::kWayGivingSignal, &action, nullptr);
}

}  // namespace snarl::runtime::watchdog
