#include "runtime/reset/batch.h"

#include <malloc.h>
#include <sched.h>

#include "base/hash.h"
#include "runtime/fiber/fibers.h"
#include "runtime/hooks/compiled_in.h"
#include "runtime/memory/races.h"
#include "runtime/platform/raw.h"
#include "runtime/reset/copy.h"
#include "runtime/reset/observed_runs.h"
#include "runtime/reset/ready.h"
#include "runtime/state/state.h"
#include "schedule/epochs.h"
#include "schedule/exhausted.h"
#include "schedule/misuse.h"

namespace snarl::runtime {
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
      : wire_(wire),
        order_(batch.order),
        stop_(batch.stop),
        state_(batch.state),
        rows_(batch.seen_rows),
        distinct_(batch.distinct),
        orders_(batch.orders),
        body_(body) {}

  void run_all();
  void run_one();

 private:
  // The first ones, when most surprises come, and now and then one later.
  bool is_repeated(uint64_t nth) const { return order_.repeats != 0 && (nth < 4 || nth % 4096 == 0); }
  // Runs are so short here that a hash of every eighth would be felt.
  static bool is_ordered(uint64_t turn) { return turn % 4 == 0 && is_ordered_turn(turn / 4); }
  void order_run(uint64_t index);
  [[gnu::noinline]] void begin_epoch();
  void plan_with(const Profile& profile);
  [[gnu::noinline]] void order_memory(uint64_t index);
  [[gnu::noinline]] void take_policy(uint64_t index);
  wire::Left run();
  Trail trail() const { return {wire_.state.decision_hash, wire_.state.steps, wire_.state.created}; }
  [[gnu::noinline]] wire::Left repeat(const Trail& first);
  void tally(uint64_t index);
  [[gnu::noinline]] void tally_order(uint64_t index, uint64_t policy);
  void begin_orders();
  [[gnu::noinline]] void note_too_long();
  bool is_exhausted() const;
  void sample(uint64_t index);
  void look_for_misuse() const;
  [[gnu::noinline]] wire::Left look_at_heap(uint64_t nth);

  static constexpr uint64_t kCachesAreFull = 20;
  static constexpr uint64_t kManyMarks = wire::kDistinctBits / 256;  // less than half a per cent

  wire::Layout& wire_;
  const wire::BatchOrder& order_;
  const std::atomic<uint32_t>& stop_;
  wire::BatchState& state_;
  uint64_t (&rows_)[wire::kMaxBatchPolicies];
  uint64_t* distinct_;
  wire::BatchOrders& orders_;
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
  observed_runs::before();
  const wire::Left left = run_body(body_);
  observed_runs::after();
  if (wire_.state.misuses.load(std::memory_order_relaxed) != 0) look_for_misuse();
  return left;
}

void BatchRunner::take_policy(uint64_t index) {
  const size_t policy = order_.rota.policy_at(index);
  wire_.command.key.policy = order_.policy[policy];
  wire_.command.key.turn = order_.rota.turn_at(index);
  if (wire_.command.pairs != 0) wire_.command.pairs_since = order_.pairs_since(index);
}

void BatchRunner::order_run(uint64_t index) {
  wire::Command& command = wire_.command;
  command.key.turn = index;
  if (order_.policies > 1 || wire_.command.pairs != 0) take_policy(index);
  if (__builtin_expect(order_.learns != 0, 0)) order_memory(index);
  command.settings.orders = order_.orders != 0 && is_ordered(command.key.turn) && !command.settings.all_memory;
  command.key.index = index;
  ++command.run;
  state_.index = index;
}

// As the parent would: nothing but sums is learned here (BatchOrder::learns).
void BatchRunner::begin_epoch() {
  Profile& profile = state_.profile;
  profile.threads = state_.most_threads > order_.threads ? state_.most_threads : order_.threads;
  profile.steps = state_.most_steps > order_.steps ? state_.most_steps : order_.steps;
  if (profile.steps == 0) profile.steps = 1;
  ++profile.epoch;
  plan_with(profile);
  state_.boundary = next_boundary(state_.boundary);
  begin_orders();
}

// The marks of earlier epochs, which have other hashes, are only cleared when there are many: short campaigns have many
// epochs.
void BatchRunner::begin_orders() {
  if (orders_.epoch == state_.profile.epoch) return;
  orders_.epoch = state_.profile.epoch;
  for (OrderTally& tally : orders_.tally) tally = {};
  if (orders_.marked < kManyMarks) return;
  for (uint64_t& times : orders_.times) times = 0;
  orders_.marked = 0;
}

void BatchRunner::plan_with(const Profile& profile) {
  wire_.command.key.profile = profile;
  wire_.command.settings.fairness = default_fairness(profile.steps);
}

void BatchRunner::order_memory(uint64_t index) {
  RunSettings& settings = wire_.command.settings;
  settings.points = order_.points_at(index, order_.settings.points);
  settings.all_memory = order_.has_all_points(index);
  plan_with(settings.all_memory ? order_.all_profile : order_.key.profile);
  settings.learning = settings.all_memory              ? Learning::kAll
                      : wire::is_learning_index(index) ? Learning::kOwners
                                                       : Learning::kNothing;
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
  Step& most = wire_.command.settings.all_memory ? state_.most_all_steps : state_.most_steps;
  if (state.steps > most) most = state.steps;
  if (state.created > state_.most_threads) state_.most_threads = state.created;
  const uint64_t policy = order_.policies > 1 ? order_.rota.policy_at(index) : 0;
  if (__builtin_expect(state.steps > wire_.command.settings.step_budget, 0)) note_too_long();
  const uint64_t bit = state.decision_hash % wire::kDistinctBits, mask = uint64_t{1} << (bit % 64);
  rows_[policy] = (distinct_[bit / 64] & mask) != 0 ? rows_[policy] + 1 : 0;
  distinct_[bit / 64] |= mask;
  if (state.order_hash != 0) tally_order(index, policy);
  const uint64_t turns = state.turns;
  if (__builtin_expect(turns != 0, 0) && order_.rota.turn_at(index) + 1 >= turns) rows_[policy] = kEnoughSeen;
}

void BatchRunner::tally_order(uint64_t index, uint64_t policy) {
  const uint64_t hash = wire_.state.order_hash;
  const uint64_t bit = hash % wire::kDistinctBits, mask = uint64_t{1} << (bit % 64);
  if ((orders_.seen[bit / 64] & mask) == 0) orders_.last_new = index;
  orders_.seen[bit / 64] |= mask;
  const uint64_t mark = combine(hash, uint64_t{orders_.epoch} << 8 | policy) % wire::kDistinctBits;
  uint64_t& times = orders_.times[mark / 32];
  const uint64_t before = times >> (mark % 32 * 2) & 3;
  if (before != 3) times += uint64_t{1} << (mark % 32 * 2);
  orders_.tally[policy].add(before);
  ++orders_.marked;
  ++orders_.runs;
}

void BatchRunner::note_too_long() {
  if (wire_.command.settings.step_budget == 0) return;
  ++state_.too_long;
  if (wire_.state.steps > state_.longest) state_.longest = wire_.state.steps;
}

bool BatchRunner::is_exhausted() const {
  for (uint32_t i = 0; i < order_.policies; ++i)
    if (rows_[i] < kEnoughSeen) return false;
  return true;
}

// Those at a distance of 1, 2, 4, ... from the first: some early, some late.
void BatchRunner::sample(uint64_t index) {
  const uint64_t nth = index - order_.key.index;
  if ((nth & (nth - 1)) != 0 || state_.samples == wire::kMaxSamples) return;
  const wire::Command& command = wire_.command;
  state_.sample[state_.samples++] = {command.key, command.settings, wire_.state.decision_hash, wire_.state.steps};
}

void BatchRunner::run_all() {
  wire_.command.key.policy = order_.policy[0];
  state_.profile = order_.key.profile;
  state_.boundary = order_.boundary;
  begin_orders();
  if (order_.forgets_seen != 0)
    for (uint64_t& row : rows_) row = 0;
  for (uint64_t index = order_.key.index; index != order_.end && stop_.load(std::memory_order_relaxed) == 0; ++index) {
    if (index == state_.boundary) begin_epoch();
    order_run(index);
    wire::Left left = run();
    tally(index);
    sample(index);
    if (left == wire::Left::kNothing && is_repeated(index - order_.key.index)) left = repeat(trail());
    if (left == wire::Left::kNothing && order_.watches_heap != 0) left = look_at_heap(index - order_.key.index);
    state_.left = left;
    if (left != wire::Left::kNothing) return;
    if (order_.looks_for_new != 0 && is_exhausted()) {
      state_.is_exhausted = 1;
      break;
    }
    if (order_.stays == 0) break;
  }
  state_.is_done = 1;
}

void BatchRunner::run_one() {
  state_.index = wire_.command.key.index;
  state_.left = run();
  state_.is_done = 1;
}

void begin_process(wire::Layout& wire) {
  engine::shared = &wire;
  compiled_in::answer();
  get_ready();
}

[[noreturn]] void run_ordered(wire::Layout& wire, wire::Batch& batch, const Body& body) {
  observed_runs::begin();
  BatchRunner runner(wire, batch, body);
  const bool is_alone = batch.order.policies == 0;
  races::begin_library(!is_alone);
  if (compiled_in::have_asked()) wire.state.hooked.store(1, std::memory_order_relaxed);
  is_alone ? runner.run_one() : runner.run_all();
  wire.state.phase.store(wire::Phase::kEnded, std::memory_order_release);
  raw::exit_group(0);
}

// The parent may have ended before the kernel was asked to end the copy with it.
void become_copy(int control, long parent) {
  stand_alone();
  if (raw::call(SYS_getppid) != parent) raw::exit_group(0);
  raw::call(SYS_close, control);
  pin(sched_getcpu());
}

}  // namespace

void run_batch(wire::Layout& wire, wire::Batch& batch, const Body& body) {
  begin_process(wire);
  fibers::prepare();
  run_ordered(wire, batch, body);
}

void serve_batches(wire::Layout& wire, wire::Batch& batch, const Body& body, int control) {
  const long parent = raw::call(SYS_getppid);
  begin_process(wire);
  for (;;) {
    wire::Request request;
    const long got = raw::call(SYS_read, control, &request, sizeof request);
    if (got == -4 /* EINTR */) continue;
    if (got != sizeof request) raw::exit_group(0);
    fibers::prepare();
    const wire::Reply reply{copy_process()};
    if (reply.pid == 0) {
      become_copy(control, parent);
      run_ordered(wire, batch, body);
    }
    raw::call(SYS_write, control, &reply, sizeof reply);
  }
}

}  // namespace snarl::runtime
