#include "runtime/run/step.h"

#include "runtime/platform/raw.h"
#include "runtime/simulated/outside.h"

namespace snarl::runtime::engine {
namespace {

// A thread that took its exit step still frees its stack and its caches: wait for that, so
// that what the allocator does next does not depend on timing.
void await_departed() {
  while (under_way.departing != nullptr) {
    const uint32_t tid = __atomic_load_n(under_way.departing, __ATOMIC_ACQUIRE);
    if (tid == 0)
      under_way.departing = nullptr;
    else
      raw::call(SYS_futex, under_way.departing, FUTEX_WAIT, tid, 0);  // not private: the kernel's wake isn't
  }
}

}  // namespace

void wait_at_gate(Thread& self) {
  gates::wait(self);
  await_departed();
}

void come_back(Thread& self) {
  watcher::appoint(self);  // while it was away there may have been nobody else at a gate
  __atomic_store_n(&self.is_back, true, __ATOMIC_SEQ_CST);  // from here on it may be chosen, and another be appointed
  wait_for_turn(self);
  turn::regain(self);
  self.is_back = false;
  stop_awaiting(self);
  if (take(self, Op{.kind = OpKind::kIo, .object = ~uint64_t{0}}) == model::kInterrupted)
    conductor().model().interrupt(self.id);  // at this arrival, then
}

void publish_counters() {
  shared->state.deadlines = static_cast<uint32_t>(conductor().deadlines());
  shared->state.timeouts = conductor().timeouts();
  if (__builtin_expect(shared->state.chosen_deadlines != conductor().chosen_deadlines(), 0)) {
    shared->state.chosen_deadlines = conductor().chosen_deadlines();
    shared->state.chosen_deadline = conductor().chosen_deadline();
  }
  shared->state.overrides = conductor().overrides();
  shared->state.passed_over = conductor().passed_over();
  shared->state.waiting_rounds = conductor().waiting_rounds();
}

}  // namespace snarl::runtime::engine
