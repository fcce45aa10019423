#include "runtime/watch/endless.h"

#include "base/state_marks.h"
#include "runtime/simulated/outside.h"
#include "runtime/state/state.h"
#include "runtime/watch/fingerprint.h"
#include "runtime/watch/recurrence.h"

namespace snarl::runtime::endless {
namespace {

constexpr uint32_t kMost = 16;  // threads that compute at once: with more, the time-out tells
struct Stopped {
  ThreadId id;
  Recurrence loop;
};
SNARL_RUN_STATE Stopped stopped_threads[kMost];
SNARL_RUN_STATE uint64_t tops[kMost];  // of their stacks
SNARL_RUN_STATE uint32_t count;
SNARL_RUN_STATE Step last_step;

Stopped* find(ThreadId id) {
  for (uint32_t i = 0; i < count; ++i)
    if (stopped_threads[i].id == id) return &stopped_threads[i];
  return nullptr;
}

Stopped* entry_of(ThreadId id) {
  if (Stopped* known = find(id)) return known;
  if (count == kMost) return nullptr;
  stopped_threads[count] = {id, Recurrence()};
  return &stopped_threads[count++];
}

// Between two stops, the one who gives way takes one step.
void look_for_other_steps() {
  const Step step = engine::conductor().step();
  if (step != last_step && step != last_step + 1) count = 0;
  last_step = step;
}

bool all_others_run_in_circles(const Thread& self) {
  bool all = true;
  engine::conductor().model().enabled().for_each([&](ThreadId t) {
    const Stopped* other = find(t);
    all &= t == self.id || (other != nullptr && other->loop.recurs());
  });
  return all;
}

// A deadline may come, something outside, or a child.
bool may_be_helped() {
  conduct::Outside& outside = real_outside();
  if (engine::conductor().model().time_to_deadline() != ~uint64_t{0}) return true;
  return (outside.any() && outside.may_come()) || !outside.pause();
}

}  // namespace

void begin() { forget(); }
void forget() { count = 0; }

bool is_so(const Thread& self, const ucontext_t& stopped) {
  look_for_other_steps();
  Stopped* entry = entry_of(self.id);
  if (entry == nullptr) return false;
  tops[entry - stopped_threads] = static_cast<uint64_t>(stopped.uc_mcontext.gregs[REG_RSP]);
  entry->loop.note(fingerprint::of_registers(stopped), [] { return fingerprint::of_memory({tops, count}); });
  return entry->loop.recurs() && all_others_run_in_circles(self) && !may_be_helped();
}

bool runs_in_a_circle(const Thread& self) {
  const Stopped* entry = find(self.id);
  return entry != nullptr && entry->loop.recurs();
}

}  // namespace snarl::runtime::endless
