#include "runtime/parallel/last_resort.h"

#include <errno.h>

#include "base/large.h"
#include "runtime/parallel/threads.h"
#include "runtime/parallel/waiting.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/task.h"
#include "runtime/run/engine.h"
#include "runtime/watch/spin_places.h"
#include "runtime/watch/watchdog.h"

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
Time last_look;

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
    if (++last.sleeping_looks < patience.blocked_after || !watchdog::is_blocked(tid)) return;
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
    if (crew.is_before_others(member.thread->id) && member.thread->tid != 0) look_at(desk, member);
  });
}

// A handler may come when the thread is in our code, or has just passed a point: then there is nothing to be done.
void stop_here(Thread& self, uint64_t pc) {
  if (self.inside != self.outermost) return;
  const int error = errno;
  const Seen& last = seen[self.id];
  const bool spins = last.spins && last.tid == self.tid && last.steps == member_of(self).entry->steps;
  if (spins || spin_places::is_known(pc)) {
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
