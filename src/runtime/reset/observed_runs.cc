#include "runtime/reset/observed_runs.h"

#include "base/state_marks.h"
#include "runtime/reset/run_image.h"
#include "runtime/state/refuse.h"

namespace snarl::runtime::observed_runs {
namespace {

SNARL_PROCESS_STATE bool puts_back = false;
SNARL_PROCESS_STATE void (*observer)(const SnarlObservedRun*) = nullptr;

}  // namespace

void begin() {
  if (puts_back && !run_image::keep()) refuse("there is no memory for the image of a run");
}

void before() {
  if (__builtin_expect(puts_back, 0)) run_image::put_back();
}

void after() {
  if (__builtin_expect(observer == nullptr, 1)) return;
  const wire::State& state = engine::shared->state;
  const SnarlObservedRun seen{.index = engine::shared->command.key.index,
                              .steps = state.steps,
                              .decision_hash = state.decision_hash,
                              .threads = state.created,
                              .outcome = static_cast<uint32_t>(state.outcome)};
  observer(&seen);
}

}  // namespace snarl::runtime::observed_runs

void snarl_observe_runs(int puts_back, void (*after)(const SnarlObservedRun*)) {
  snarl::runtime::observed_runs::puts_back = puts_back != 0;
  snarl::runtime::observed_runs::observer = after;
}
