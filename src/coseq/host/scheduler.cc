#include "coseq/host/scheduler.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.h"
#include "policy/pct.h"

namespace snarl::coseq {
namespace {

constexpr uint64_t kSlice = 4096;  // steps of one thread in a row after which it is looked whether it spins
constexpr uint64_t kEarlySalt = 0x6561726c79;
constexpr uint64_t kFar =
    1'000'000'000;                // nanoseconds from when it is set: such a deadline comes only when nobody can run
constexpr int kLongestSpin = 64;  // steps of one round of a loop that waits

uint64_t bit(uint32_t slot) { return uint64_t{1} << slot; }

// Room between two ranks, for threads that a plan does not know.
uint64_t spaced(uint64_t rank) { return rank << 40; }

}  // namespace

PlannedChanges sorted_changes(const LanePlan& plan) {
  PlannedChanges sorted;
  for (size_t i = 0; i < plan.changes; ++i) {
    const PlannedChange one{plan.points[i], spaced(plan.targets[i])};
    size_t at = sorted.count++;
    for (; at > 0; --at) {
      const PlannedChange& before = sorted.list[at - 1];
      if (before.step < one.step || (before.step == one.step && before.rank > one.rank)) break;
      sorted.list[at] = before;
    }
    sorted.list[at] = one;
  }
  return sorted;
}

void Scheduler::begin() {
  lane_.reset();
  course_.list_size = course_.known = 0;
  course_.last = kLaneThreads;
  course_.order = 0;
  course_.parked = 0;
  course_.patience = 1;
  course_.slice_begin = 0;
  course_.slice = kSlice;
  course_.passed_over = course_.timed = course_.early = false;
}

Ended Scheduler::ended() const {
  const LaneHeader& h = lane_.header();
  return {h.status, h.steps, h.created, course_.order, course_.passed_over, course_.timed};
}

// Where its rank says; threads that have ended go out of the list when it is looked through.
void Scheduler::list(uint32_t slot) {
  Course& c = course_;
  uint32_t size = 0;
  for (uint32_t i = 0; i < c.list_size; ++i)
    if (c.listed[i] != slot) c.listed[size++] = c.listed[i];
  uint32_t at = size;
  for (; at > 0 && c.ranks[c.listed[at - 1]] < c.ranks[slot]; --at) c.listed[at] = c.listed[at - 1];
  c.listed[at] = static_cast<uint8_t>(slot);
  c.list_size = size + 1;
}

// Threads that the plan does not know come at a random place among those that it does.
void Scheduler::rank_new_threads(const LanePlan& plan) {
  const LaneHeader& h = lane_.header();
  for (uint32_t slot = 0; slot < h.slots; ++slot) {
    const LaneThread& t = h.threads[slot];
    if (t.state != kThreadLives || t.ordinal < course_.known) continue;
    if (t.ordinal < plan.threads) {
      course_.ranks[slot] = spaced(plan.ranks[t.ordinal]);
    } else {
      const uint64_t below = plan.changes + course_.insert.below(plan.threads + 1);  // ranks that it is above
      course_.ranks[slot] = spaced(below) + 1 + course_.insert.below(spaced(1) - 1);
    }
    list(slot);
  }
  course_.known = h.created;
}

int Scheduler::highest() {
  Course& c = course_;
  for (uint32_t i = 0; i < c.list_size;) {
    const uint32_t slot = c.listed[i];
    if (lane_.thread(slot).state != kThreadLives) {
      --c.list_size;
      std::memmove(&c.listed[i], &c.listed[i + 1], c.list_size - i);
      continue;
    }
    if ((c.parked & bit(slot)) == 0 && lane_.is_enabled(slot)) return static_cast<int>(slot);
    ++i;
  }
  return -1;
}

int Scheduler::near_deadline() {
  const LaneHeader& h = lane_.header();
  int earliest = -1;
  for (uint32_t slot = 0; slot < h.slots && h.waiting != 0; ++slot) {
    const LaneThread& t = h.threads[slot];
    const bool waits = t.state == kThreadLives && t.deadline != 0 && t.woken == 0 && t.condition != 0;
    if (!waits || t.word == 0 || t.deadline > t.set_at + kFar || lane_.is_enabled(slot)) continue;  // word 0: a sleep
    if (earliest < 0 || t.deadline < h.threads[earliest].deadline) earliest = static_cast<int>(slot);
  }
  return earliest;
}

bool Scheduler::has_timed_wait() {
  const LaneHeader& h = lane_.header();
  for (uint32_t slot = 0; slot < h.slots; ++slot)
    if (h.threads[slot].state == kThreadLives && h.threads[slot].deadline != 0 && h.threads[slot].condition != 0)
      return true;
  return false;
}

void Scheduler::fire(uint32_t slot) {
  LaneHeader& h = lane_.header();
  h.now = std::max(h.now, h.threads[slot].deadline);
  h.threads[slot].woken = kWokenByDeadline;
  course_.order = combine(course_.order, ~uint64_t{slot});
}

// A deadline has a random place among the threads, which its wait keeps.
int Scheduler::deadline_before(const LanePlan& plan, int best) {
  const int slot = !may_be_early_ || lane_.header().waiting == 0 ? -1 : near_deadline();
  if (slot < 0 || best < 0) return -1;
  course_.timed = true;
  if (!course_.early) return -1;
  const LaneThread& t = lane_.thread(static_cast<uint32_t>(slot));
  const uint64_t hash = mix64(combine(plan.insert, t.deadline << 8 | t.ordinal));
  const uint64_t rank = spaced(plan.changes + hash % (plan.threads + 1)) + 1 + (hash >> 32);
  return rank < course_.ranks[best] ? -1 : slot;
}

// Time passes when nobody can run.
bool Scheduler::wake_earliest() {
  LaneHeader& h = lane_.header();
  LaneThread* earliest = nullptr;
  for (uint32_t slot = 0; slot < h.slots; ++slot) {
    LaneThread& t = h.threads[slot];
    if (t.state != kThreadLives || t.deadline == 0 || t.woken != 0 || t.condition == 0) continue;
    if (earliest == nullptr || t.deadline < earliest->deadline) earliest = &t;
  }
  if (earliest == nullptr) return false;
  h.now = std::max(h.now, earliest->deadline);
  earliest->woken = kWokenByDeadline;
  return true;
}

uint64_t Scheduler::enabled() {
  for (;;) {
    uint64_t set = 0;
    for (uint32_t slot = 0; slot < lane_.header().slots; ++slot)
      if (lane_.is_enabled(slot)) set |= bit(slot);
    if (set != 0 || !wake_earliest()) return set;
  }
}

TraceStep Scheduler::pending(uint32_t slot) {
  const LaneThread& t = lane_.thread(slot);
  const LaneProgram& program = lane_.program();
  TraceStep step;
  step.ordinal = t.ordinal;
  step.slot = slot;
  step.start = t.start;
  step.object = t.object;
  step.kind = t.pc < program.function_count ? 0 : program.places[t.pc].kind;
  step.places.push_back(t.pc);
  for (uint32_t frame = t.frame; step.places.size() < 64 && lane_.word(frame) != 0; frame = lane_.word(frame + 4))
    step.places.push_back(lane_.word(frame));
  return step;
}

void Scheduler::go(uint32_t slot, uint64_t next, std::vector<TraceStep>* trace) {
  LaneHeader& h = lane_.header();
  if (slot != course_.last) course_.order = combine(course_.order, h.steps << 8 | h.threads[slot].ordinal);
  course_.last = slot;
  if (trace == nullptr) {
    lane_.go(slot, next);
    return;
  }
  if (h.threads[slot].pc < lane_.program().function_count) lane_.go(slot, 0);  // to its first point
  trace->push_back(pending(slot));
  const bool alone = h.living < 2;
  trace->back().step = alone ? 0 : h.steps + 1;
  trace->back().begin_cost = h.cost;
  lane_.go(slot, 0);
}

uint64_t Scheduler::state_hash() {
  std::vector<uint8_t> state;
  lane_.save(state);
  auto* h = reinterpret_cast<LaneHeader*>(state.data());
  h->steps = 0;
  h->current = h->waiting = h->cost = 0;
  std::memset(h->returned, 0, sizeof h->returned);
  uint64_t hash = 0, word = 0;
  for (size_t i = 0; i < state.size(); i += 8) {
    word = 0;
    std::memcpy(&word, &state[i], std::min<size_t>(8, state.size() - i));
    hash = mix64(hash ^ word);
  }
  return hash;
}

// Does the thread come back to the state that it is in, without any other? Then it does so for ever. Only if no other
// may go on at any point of the round (`alone`) is that a livelock: else who holds a lock in between blocks the others
// just now.
bool Scheduler::spins(uint32_t slot, bool alone, std::vector<TraceStep>* trace) {
  const uint64_t begin = state_hash();
  for (int i = 0; i < kLongestSpin; ++i) {
    if (!lane_.is_enabled(slot)) return false;
    go(slot, lane_.header().steps + 1, trace);
    for (uint32_t other = 0; alone && other < lane_.header().slots; ++other)
      if (other != slot && lane_.is_enabled(other)) return false;
    if (state_hash() == begin) return true;
  }
  return false;
}

// The threads in `set` spin, as far as is known, and no other may go on: time passes. True: others may go on now.
bool Scheduler::wake_for_spinning(uint64_t set, std::vector<TraceStep>* trace) {
  if (wake_earliest()) return true;
  if (std::has_single_bit(set) && spins(static_cast<uint32_t>(std::countr_zero(set)), true, trace))
    lane_.end(kLaneLivelock, 0, 0, ~0u);
  return false;
}

void Scheduler::look_for_spinning(uint32_t slot, std::vector<TraceStep>* trace) {
  Course& c = course_;
  const LaneHeader& h = lane_.header();
  if (c.parked != 0 && h.steps >= c.slice_begin + c.patience) {
    c.parked = 0;
    c.patience = std::min<uint64_t>(c.patience * 2, kSlice);
  }
  if (h.steps < c.slice_begin + c.slice || h.living < 2) return;
  c.slice *= 2;
  if (!spins(slot, false, trace)) return;
  c.parked |= bit(slot);
  c.passed_over = true;
}

// While changes are to come (`to` is a step), a thread that spins meets one of them.
void Scheduler::plan_loop(const LanePlan& plan, uint64_t to, std::vector<TraceStep>* trace) {
  Course& c = course_;
  LaneHeader& h = lane_.header();
  const bool is_last = to == kNoStop;
  while (h.steps < to) {
    if (h.created != c.known) rank_new_threads(plan);
    const int best = highest();
    if (const int late = deadline_before(plan, best); late >= 0) {
      fire(static_cast<uint32_t>(late));
      continue;
    }
    if (best < 0) {
      const uint64_t set = enabled();
      if (set == 0) lane_.end(kLaneDeadlock, 0, 0, ~0u);
      if (h.steps >= budget_) lane_.end(kLaneTooLong, 0, 0, ~0u);
      // Together, threads that spin may still get out of it: they take their turns again.
      if ((set & ~c.parked) == 0 && !wake_for_spinning(set, trace)) c.parked = 0;
      continue;
    }
    const auto slot = static_cast<uint32_t>(best);
    if (slot != c.last) {
      c.slice_begin = h.steps;
      c.slice = kSlice;
    }
    uint64_t next = std::min(budget_, to);
    if (is_last) next = std::min(next, c.slice_begin + c.slice);
    if (c.parked != 0) next = std::min(next, h.steps + c.patience);
    if (c.early && h.waiting != 0 && has_timed_wait()) next = std::min(next, h.steps + 1);  // as with a trace
    go(slot, next, trace);
    if (h.steps >= budget_) lane_.end(kLaneTooLong, 0, 0, ~0u);
    if (is_last || c.parked != 0) look_for_spinning(slot, trace);
  }
}

void Scheduler::begin_plan(const LanePlan& plan) {
  begin();
  course_.insert = LateRng(plan.insert);
  course_.early = may_be_early_ && mix64(plan.insert ^ kEarlySalt) % policy::kEarlyTimers == 0;
}

bool Scheduler::run_to(const LanePlan& plan, uint64_t step, std::vector<TraceStep>* trace) {
  lane_.run([&] { plan_loop(plan, step, trace); });
  return lane_.header().status != kLaneRuns;
}

void Scheduler::lower(uint64_t rank) {
  if (course_.last >= kLaneThreads) return;
  course_.ranks[course_.last] = rank;
  if (lane_.thread(course_.last).state == kThreadLives) list(course_.last);
}

Ended Scheduler::run_plan(const LanePlan& plan, std::vector<TraceStep>* trace) {
  if (plan.adversary_above != kNoAdversary) return run_drawn(plan, trace);
  begin_plan(plan);
  const PlannedChanges changes = sorted_changes(plan);
  for (size_t i = 0; i <= changes.count; ++i) {
    if (run_to(plan, i < changes.count ? changes.list[i].step : kNoStop, trace)) break;
    lower(changes.list[i].rank);
  }
  return ended();
}

bool Scheduler::step(uint32_t slot) {
  lane_.run([&] {
    LaneHeader& h = lane_.header();
    if (h.threads[slot].pc < lane_.program().function_count) lane_.go(slot, 0);
    lane_.go(slot, 0);
    for (uint32_t other = 0; other < h.slots; ++other)
      if (h.threads[other].state == kThreadLives && h.threads[other].pc < lane_.program().function_count)
        lane_.go(other, 0);
  });
  return lane_.header().status == kLaneRuns;
}

// Draws at every point.
template <typename Choose>
void Scheduler::stepwise(Choose choose, std::vector<TraceStep>* trace) {
  uint64_t only = 0, since = 0, patience = kSlice;  // from that step on nobody but `only` could go on
  for (;;) {
    const uint64_t set = enabled();
    const uint64_t steps = lane_.header().steps;
    if (set == 0) lane_.end(kLaneDeadlock, 0, 0, ~0u);
    if (steps >= budget_) lane_.end(kLaneTooLong, 0, 0, ~0u);
    if (set != only || !std::has_single_bit(set)) {
      only = set;
      since = steps;
      patience = kSlice;
    } else if (steps >= since + patience) {
      patience *= 2;
      const auto slot = static_cast<uint32_t>(std::countr_zero(set));
      if (spins(slot, false, trace)) wake_for_spinning(set, trace);
      continue;
    }
    // Alone, a thread has nobody to make way for: it goes on until it makes another.
    const bool alone = lane_.header().living < 2;
    const uint32_t slot = alone ? static_cast<uint32_t>(std::countr_zero(set)) : choose(set);
    if (slot >= kDeadlineOf) {
      fire(slot - kDeadlineOf);
      continue;
    }
    go(slot, alone ? kNoStop : lane_.header().steps + 1, trace);
  }
}

Ended Scheduler::run_drawn(const LanePlan& plan, std::vector<TraceStep>* trace) {
  begin_plan(plan);
  Rng rng(plan.adversary);
  const PlannedChanges changes = sorted_changes(plan);
  const uint64_t above = spaced(plan.adversary_above);
  size_t at = 0;
  lane_.run([&] {
    stepwise(
        [&](uint64_t set) {
          const LaneHeader& h = lane_.header();
          for (; at < changes.count && changes.list[at].step <= h.steps; ++at) lower(changes.list[at].rank);
          if (h.created != course_.known) rank_new_threads(plan);
          uint64_t high = 0;
          for (uint64_t left = set; left != 0; left &= left - 1)
            if (course_.ranks[std::countr_zero(left)] > above) high |= left & -left;
          if (high == 0) {
            const int best = highest(), late = deadline_before(plan, best);
            return late >= 0 ? kDeadlineOf + static_cast<uint32_t>(late) : static_cast<uint32_t>(best);
          }
          const int timer = !may_be_early_ || h.waiting == 0 ? -1 : near_deadline();
          course_.timed |= timer >= 0;
          const bool may_fire = timer >= 0 && (plan.adversary_above == 0 || course_.early);
          uint64_t skip = rng.below(static_cast<uint64_t>(std::popcount(high) + (may_fire ? 1 : 0)));
          if (skip == static_cast<uint64_t>(std::popcount(high))) return kDeadlineOf + static_cast<uint32_t>(timer);
          for (; skip > 0; --skip) high &= high - 1;
          return static_cast<uint32_t>(std::countr_zero(high));
        },
        trace);
  });
  return ended();
}

Ended Scheduler::run_path(const std::vector<uint32_t>& path, std::vector<TraceStep>* trace) {
  begin();
  lane_.run([&] {
    for (size_t at = 0;; ++at) {
      const uint64_t set = enabled();
      if (set == 0) lane_.end(kLaneDeadlock, 0, 0, ~0u);
      if (at > budget_) lane_.end(kLaneTooLong, 0, 0, ~0u);
      const uint32_t wanted = at < path.size() ? path[at] : kLaneThreads;
      if (wanted >= kDeadlineOf) {
        fire(wanted - kDeadlineOf);
        continue;
      }
      const bool can = wanted < kLaneThreads && (set >> wanted & 1) != 0;
      go(can ? wanted : static_cast<uint32_t>(std::countr_zero(set)), 0, trace);
      LaneHeader& h = lane_.header();
      for (uint32_t other = 0; other < h.slots; ++other)
        if (h.threads[other].state == kThreadLives && h.threads[other].pc < lane_.program().function_count)
          lane_.go(other, 0);
    }
  });
  return ended();
}

}  // namespace snarl::coseq
