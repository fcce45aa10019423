#include "runtime/parallel/pace.h"

#include <algorithm>
#include <new>

#include "base/large.h"
#include "base/state_marks.h"
#include "conduct/quotas.h"
#include "policy/speed_vector.h"
#include "runtime/parallel/desk.h"
#include "runtime/parallel/waiting.h"

namespace snarl::runtime::parallel {
namespace {

SNARL_RUN_STATE const policy::SpeedVector* speeds;  // null: there are none
SNARL_LARGE alignas(conduct::Quotas) char quotas_memory[sizeof(conduct::Quotas)];

conduct::Quotas& quotas() { return *std::launder(reinterpret_cast<conduct::Quotas*>(quotas_memory)); }

void begin_interval_if_over(Desk& desk, const Thread* self) {
  if (!quotas().is_over()) return;
  quotas().next().for_each([&](ThreadId t) {
    if (self == nullptr || t != self->id) desk.let_go(t);
  });
}

}  // namespace

bool is_paced() { return speeds != nullptr; }

void begin_pace(const policy::Plan& plan) {
  speeds = plan.speeds;
  if (is_paced()) (new (quotas_memory) conduct::Quotas)->begin(plan.interval);
}

void pace_new(const Thread& thread, uint64_t name) {
  if (is_paced()) quotas().add(thread.id, speeds->of(thread.ordinal, name));
}

void pace_blocked(Desk& desk, ThreadId t) {
  if (!is_paced()) return;
  quotas().block(t);
  begin_interval_if_over(desk, nullptr);
}

void pace_unblocked(Member& member) {
  if (!is_paced()) return;
  quotas().unblock(member.thread->id);
  look_at_next(member);  // it may have another share than when it was blocked
}

bool is_pausing(ThreadId t) { return is_paced() && quotas().is_resting(t); }

uint64_t points_until_pause(const Thread& self) { return std::max<uint64_t>(quotas().left(self.id), 1); }

void keep_pace(Thread& self, uint64_t passed) {
  quotas().take(self.id, passed);
  if (quotas().left(self.id) != 0) return;
  bool waits = false;
  {
    Desk desk(self);
    quotas().rest(self.id);
    begin_interval_if_over(desk, &self);
    waits = quotas().is_resting(self.id);
    if (waits) desk.has_to_wait();
  }
  if (waits) wait_for_gate(self);
}

}  // namespace snarl::runtime::parallel
