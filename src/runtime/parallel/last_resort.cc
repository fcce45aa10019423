#include "runtime/parallel/last_resort.h"

#include <errno.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/parallel/pace.h"
#include "runtime/parallel/threads.h"
#include "runtime/parallel/waiting.h"
#include "runtime/patch/rounds.h"
#include "runtime/platform/descriptors.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/task.h"
#include "runtime/state/spin_places.h"
#include "runtime/state/state.h"

namespace snarl::runtime::parallel {
namespace {

constexpr Time kBetweenLooks = 8'000'000;   // of all who look
constexpr uint64_t kStepAside = 2'000'000;  // ns: enough for thousands of steps of those who wait

// What the last looks at a thread showed.
struct Seen {
  int tid = 0;
  uint64_t steps = 0;
  uint64_t cpu_time = 0;  // at the first look since that step
  uint32_t sleeping_looks = 0;
  bool spins = false;  // it was stopped since: wherever it is found, it is to make way
};

SNARL_LARGE Storage<Seen, kMaxThreads> seen;
SNARL_RUN_STATE Time last_look;

void look_at(Desk& desk, Member& member) {
  const Patience& patience = engine::shared->command.settings.patience;
  const int tid = member.thread->tid;
  const uint64_t steps = __atomic_load_n(&member.entry->steps, __ATOMIC_RELAXED);
  Seen& last = seen[member.thread->id];
  if (last.tid != tid || last.steps != steps) {
    last = {tid, steps, task::cpu_time_of(tid)};
    return;
  }
  if (task::is_asleep(tid)) {
    if (++last.sleeping_looks < patience.blocked_after || !is_blocked(tid)) return;
    ++engine::shared->state.irregular;
    last = {};
    return desk.leave_alone(member);
  }
  last.sleeping_looks = 0;
  last.spins |= task::cpu_time_of(tid) - last.cpu_time >= patience.slice;
  if (last.spins || spin_places::any()) raw::call(SYS_tgkill, raw::call(SYS_getpid), tid, wire::kWayGivingSignal);
}

}  // namespace

void begin_last_resort() { last_look = 0; }

void look_at_those_before(Desk& desk, const Thread& self) {
  const conduct::Crew& crew = desk.crew();
  const Time now = machine_now();
  if (!crew.is_enabled(self.id) || crew.is_stepping(self.id) || now - last_look < kBetweenLooks) return;
  last_look = now;
  for_each_thread([&](Member& member) {
    const ThreadId t = member.thread->id;
    if (crew.is_before_others(t) && !is_pausing(t) && member.thread->tid != 0) look_at(desk, member);
  });
}

// A handler may come when the thread is in our code, or has just passed a point: then there is nothing to be done. Who
// is to make way is recorded first, and comes here again.
void stop_here(Thread& self, ucontext_t& stopped) {
  if (self.inside != self.outermost) return;
  const int error = errno;
  const auto pc = static_cast<uint64_t>(stopped.uc_mcontext.gregs[REG_RIP]);
  const Seen& last = seen[self.id];
  const bool spins = last.spins && last.tid == self.tid && last.steps == member_of(self).entry->steps;
  const bool was_recorded = patch::rounds::take_recorded();
  if ((spins || spin_places::is_known(pc)) && (was_recorded || !patch::rounds::record(stopped, true))) {
    {
      Desk desk(self);
      if (spins) {
        spin_places::learn(pc);
        ++engine::shared->state.irregular;
      } else {
        ++engine::shared->state.passed_over;
      }
    }
    give_way_for(self, kStepAside);
  }
  errno = error;
}

}  // namespace snarl::runtime::parallel
