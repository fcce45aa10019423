// Library mode: many schedules of a test's body, run one after the other by one process.
//
// The test's own process (the parent) maps it before it forks, so both see the same memory. The parent writes `order`
// while no child lives, and `stop` at any time; everything else is the child's. The parent trusts nothing of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "schedule/epochs.h"
#include "schedule/order_tally.h"
#include "schedule/rota.h"
#include "schedule/run.h"

namespace snarl::wire {

constexpr uint32_t kMaxBatchPolicies = 16;
constexpr uint32_t kMaxSamples = 16;
constexpr uint32_t kDistinctBits = 1 << 22;  // linear counting: half a per cent off at a million different schedules

// Why the process may not make another run: its body would not find things as they were at first.
enum class Left : uint32_t {
  kNothing = 0,
  kThreads,       // some still run, or were neither joined nor detached
  kLocks,         // held
  kThreadLocals,  // of the main thread: their destructors run when it ends
  kTimers,
  kSignals,    // sent, and not handled
  kChildren,   // it has made other processes
  kEnded,      // the main thread left by pthread_exit, or was cancelled
  kBehaviour,  // the same schedule went otherwise when it was repeated
  kHeap,       // memory that was not freed
  kCount,
};

struct BatchOrder {
  RunKey key;             // of the first run; the rota says which policy index i has
  RunSettings settings;   // of all runs, but for what an epoch and memory points change
  uint64_t end = 0;       // the index after the last
  uint32_t policies = 0;  // m; 0: one run, the wire's command as it stands
  uint32_t stays = 0;     // 1: reset none; 0: the process ends after one run
  uint32_t watches_heap = 0;
  uint32_t looks_for_new = 0;  // 1: ends when no policy draws a schedule that is new
  uint32_t forgets_seen = 0;   // 1: schedules that were seen before don't count towards that
  uint32_t repeats = 0;        // 1: some runs are made twice, to see whether they are the same
  uint32_t threads = 0;        // the most that earlier batches had ...
  Step steps = 0;              // ... and the most steps
  uint64_t boundary = 0;       // index at which the next epoch begins: the child plans it by what was seen up to then
  uint32_t learns = 0;         // 1: memory points, so runs learn which places are shared
  uint32_t all_memory = 0;     // a bit for each policy: some of its turns have a point at every plain access ...
  Profile all_profile;         // ... and are planned with this
  uint32_t sync_only = 0;      // a bit for each policy: its runs have no memory points
  uint32_t orders = 0;         // 1: some runs hash their partial order (is_ordered_turn)
  uint64_t epoch_begins = 0;   // its first index
  Rota rota;
  PolicySpec policy[kMaxBatchPolicies];

  // Turns that the policy of that index had before the epoch (Run::pairs_since).
  uint64_t pairs_since(uint64_t index) const { return rota.turns_before(epoch_begins, rota.policy_at(index)); }
  // `all`: of the policies that are not sync_only.
  PointSet points_at(uint64_t index, PointSet all) const {
    return (sync_only >> rota.policy_at(index) & 1) != 0 ? without_memory(all) : all;
  }
  bool has_all_points(uint64_t index) const {
    return policies != 0 && (all_memory >> rota.policy_at(index) & 1) != 0 && is_all_memory_turn(rota.turn_at(index));
  }
};

// In one process, what a run learns is cleared before the next, which takes longer than a short run: not all of them
// do.
constexpr bool is_learning_index(uint64_t index) { return index < 64 || index % 16 == 0; }

// A run that the parent can have made again by a fresh process.
struct BatchSample {
  RunKey key;
  RunSettings settings;
  uint64_t decision_hash = 0;
  Step steps = 0;
};

struct BatchState {
  uint64_t begun = 0;      // runs that were begun; a run that takes too long is known by it
  uint64_t index = 0;      // of the one under way
  uint64_t schedules = 0;  // that passed
  uint64_t repeated = 0;   // of the repeated ones, how many there were
  uint32_t is_done = 0;    // it came to the order's end, or to the stop
  Left left = Left::kNothing;
  uint32_t most_threads = 0;
  uint32_t samples = 0;
  Step most_steps = 0;
  uint64_t too_long = 0;      // of `schedules`: used up the step budget
  Step longest = 0;           // the most steps that one of them took
  uint32_t is_exhausted = 0;  // that is why it came to its end
  uint32_t unused = 0;
  Step most_all_steps = 0;  // of runs with a point at every plain access
  Profile profile;          // of the epoch that it came to
  uint64_t boundary = 0;    // where that ends
  BatchSample sample[kMaxSamples];
};

// The partial orders that were seen. Stays from child to child.
struct BatchOrders {
  uint64_t runs = 0;      // whose order is known
  uint64_t last_new = 0;  // the index of the last run that showed a new one
  uint64_t marked = 0;    // runs whose marks are in `times`
  uint32_t epoch = 0;     // of `tally`
  uint32_t unused = 0;
  OrderTally tally[kMaxBatchPolicies] = {};        // by policy
  alignas(64) uint64_t seen[kDistinctBits / 64];   // a bit for each hash
  alignas(64) uint64_t times[kDistinctBits / 32];  // two bits for each hash of order, policy and epoch; 3: or more
};

struct Batch {
  BatchOrder order;
  alignas(64) std::atomic<uint32_t> stop{0};
  alignas(64) BatchState state;
  uint64_t seen_rows[kMaxBatchPolicies] =
      {};  // by policy: its schedules in a row that were not new; stays, as `distinct` does
  alignas(64) uint64_t distinct[kDistinctBits / 64] = {};  // a bit for each decision hash; stays from child to child
  alignas(64) BatchOrders orders;
};

}  // namespace snarl::wire
