#include "runtime/batch.h"

#include <malloc.h>

#include "runtime/ending.h"
#include "runtime/engine.h"
#include "runtime/fiber/fibers.h"
#include "runtime/raw.h"
#include "runtime/ready.h"
#include "schedule/misuse.h"

namespace snarl {
namespace {

// What a run is compared by when it is repeated.
struct Trail {
  uint64_t hash;
  Step steps;
  uint32_t created;
  bool operator==(const Trail&) const = default;
};

class BatchRunner {
 public:
  BatchRunner(wire::Layout& wire, wire::Batch& batch, const Body& body)
      : wire_(wire), order_(batch.order), stop_(batch.stop), state_(batch.state), distinct_(batch.distinct), body_(body) {}

  void run_all();
  void run_one();

 private:
  // The first ones, when most surprises come, and now and then one later.
  bool is_repeated(uint64_t nth) const { return order_.repeats != 0 && (nth < 4 || nth % 4096 == 0); }
  void order_run(uint64_t index);
  [[gnu::noinline]] void take_policy(uint64_t index) { wire_.command.policy = order_.policy[index % order_.policies]; }
  wire::Left run();
  Trail trail() const { return {wire_.state.decision_hash, wire_.state.steps, wire_.state.created}; }
  [[gnu::noinline]] wire::Left repeat(const Trail& first);
  void tally(uint64_t index);
  void sample(uint64_t index);
  void look_for_misuse() const;
  [[gnu::noinline]] wire::Left look_at_heap(uint64_t nth);

  static constexpr uint64_t kCachesAreFull = 20;

  wire::Layout& wire_;
  const wire::BatchOrder& order_;
  const std::atomic<uint32_t>& stop_;
  wire::BatchState& state_;
  uint64_t* distinct_;
  const Body& body_;
  uint64_t heap_ = 0;  // bytes in use
};

// Misuse that is a failure ends the process, as every failure does: the parent finds it in the wire.
void BatchRunner::look_for_misuse() const {
  const uint32_t count = wire_.state.misuses.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count; ++i)
    if (is_failure(wire_.misuses[i].what.kind)) raw::exit_group(0);
}

wire::Left BatchRunner::run() {
  __atomic_store_n(&state_.begun, state_.begun + 1, __ATOMIC_RELAXED);
  const wire::Left left = run_body(body_);
  if (wire_.state.misuses.load(std::memory_order_relaxed) != 0) look_for_misuse();
  return left;
}

void BatchRunner::order_run(uint64_t index) {
  wire::Command& command = wire_.command;
  if (order_.policies > 1) take_policy(index);
  command.index = index;
  ++command.run;
  state_.index = index;
}

// The same schedule once more: a body that keeps no state comes to the same.
wire::Left BatchRunner::repeat(const Trail& first) {
  ++wire_.command.run;
  ++state_.repeated;
  const wire::Left left = run();
  return left == wire::Left::kNothing && trail() != first ? wire::Left::kBehaviour : left;
}

// libc counts what its caches hold as in use: they are full after a few runs.
wire::Left BatchRunner::look_at_heap(uint64_t nth) {
  if (nth == kCachesAreFull) heap_ = mallinfo2().uordblks;
  if (nth % (2 * kCachesAreFull) != 0 || nth == 0) return wire::Left::kNothing;
  return mallinfo2().uordblks > heap_ ? wire::Left::kHeap : wire::Left::kNothing;
}

void BatchRunner::tally(uint64_t index) {
  const wire::State& state = wire_.state;
  ++state_.schedules;
  if (state.steps > state_.most_steps) state_.most_steps = state.steps;
  if (state.created > state_.most_threads) state_.most_threads = state.created;
  const bool as_planned = state.steps <= order_.profile.steps && state.created <= order_.profile.threads;
  const bool pure = (state.timeouts | state.overrides | state.irregular) == 0;
  if (as_planned && pure) ++state_.counted[order_.policies > 1 ? index % order_.policies : 0];
  const uint64_t bit = state.decision_hash % wire::kDistinctBits;
  distinct_[bit / 64] |= uint64_t{1} << (bit % 64);
}

// Those at a distance of 1, 2, 4, ... from the first: some early, some late.
void BatchRunner::sample(uint64_t index) {
  const uint64_t nth = index - order_.first;
  if ((nth & (nth - 1)) != 0 || state_.samples == wire::kMaxSamples) return;
  state_.sample[state_.samples++] = {index, wire_.state.decision_hash, wire_.state.steps};
}

void BatchRunner::run_all() {
  wire_.command.policy = order_.policy[0];
  for (uint64_t index = order_.first; index != order_.end && stop_.load(std::memory_order_relaxed) == 0; ++index) {
    order_run(index);
    wire::Left left = run();
    tally(index);
    sample(index);
    if (left == wire::Left::kNothing && is_repeated(index - order_.first)) left = repeat(trail());
    if (left == wire::Left::kNothing && order_.watches_heap != 0) left = look_at_heap(index - order_.first);
    state_.left = left;
    if (left != wire::Left::kNothing) return;
    if (order_.stays == 0) break;
  }
  state_.is_done = 1;
}

void BatchRunner::run_one() {
  state_.index = wire_.command.index;
  state_.left = run();
  state_.is_done = 1;
}

}  // namespace

void run_batch(wire::Layout& wire, wire::Batch& batch, const Body& body) {
  engine::shared = &wire;
  get_ready();
  fibers::prepare();
  BatchRunner runner(wire, batch, body);
  batch.order.policies == 0 ? runner.run_one() : runner.run_all();
  wire.state.phase.store(wire::Phase::kEnded, std::memory_order_release);
  raw::exit_group(0);
}

}  // namespace snarl
