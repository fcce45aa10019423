#include "runtime/parallel/noise.h"

#include "base/large.h"
#include "base/state_marks.h"
#include "base/storage.h"
#include "runtime/parallel/member.h"
#include "runtime/platform/raw.h"
#include "runtime/trace/groups.h"

namespace snarl::runtime::parallel {
namespace {

SNARL_RUN_STATE const policy::Noise* noise;
SNARL_LARGE conduct::EventGroups groups;
alignas(64) SNARL_RUN_STATE uint32_t naming;  // 1: some thread is

// Threads name their events one at a time. Meanwhile their calls are not points, as those of a signal handler would be.
class Naming {
 public:
  explicit Naming(Thread& self) : inside_(self) {
    while (__atomic_exchange_n(&naming, 1, __ATOMIC_ACQUIRE) != 0) raw::call(SYS_sched_yield);
  }
  ~Naming() { __atomic_store_n(&naming, 0, __ATOMIC_RELEASE); }
  Naming(const Naming&) = delete;
  Naming& operator=(const Naming&) = delete;

 private:
  Inside inside_;
};

uint64_t group_of(Thread& self, const Member& member) {
  const Op& op = member.entry->pending;
  if (!noise->grouped) return op.pc;
  Naming naming_now(self);
  return groups.arrived(noise->by, op, self.id, member.name);
}

void sleep_for(uint64_t nanoseconds) {
  constexpr uint64_t kSecond = 1'000'000'000;
  const timespec span{static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
  raw::call(SYS_nanosleep, &span, nullptr);
}

}  // namespace

void begin_noise(const policy::Noise* planned, Arena& arena) {
  noise = planned;
  naming = 0;
  if (noise != nullptr) groups.begin(arena, group_sources(), noise->by);
}

void name_objects_of(ThreadId t) {
  if (noise != nullptr) groups.spawned(t);
}

void make_noise(Thread& self) {
  Member& member = member_of(self);
  if (!noise->is_made_at(group_of(self, member), member.rng)) return;
  if (noise->make == policy::Make::kSleep)
    sleep_for(noise->nanoseconds);
  else
    raw::call(SYS_sched_yield);
}

}  // namespace snarl::runtime::parallel
