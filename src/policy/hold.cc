#include "policy/hold.h"

#include <algorithm>

#include "schedule/access.h"

namespace snarl::policy {
namespace {

constexpr uint64_t kPolicySalt = 0x686f6c64;  // "hold": the base has draws of its own
constexpr uint64_t kFirstTurns = 8, kMostTurns = 500;
constexpr Step kTimes = 4, kMoreSteps = 200;

}  // namespace

bool Hold::begin(const Run& run, Arena& arena, Plan& plan) {
  rng_ = Rng(combine(Rng::seed_of(run.key.seed, run.key.index, Stream::kPolicy), kPolicySalt));
  by_surw_ = rng_.below(4) != 0;
  by_surw_ ? surw_.begin(run, arena, plan) : pos_.begin(run, arena, plan);
  patience_ = kTimes * run.key.profile.steps + kMoreSteps;
  pending_ = arena.room<Pending>(kMaxThreads);
  pending_[kMainThread] = {};
  draw_constraints(run);
  return false;
}

// When every pair may have been tried, a fifth of the runs is the base's alone: some bugs need that nobody is held.
void Hold::draw_constraints(const Run& run) {
  if (run.pairs.empty()) return;
  const uint64_t enough = kFirstTurns + std::min<uint64_t>(run.pairs.size(), kMostTurns);
  if (run.key.turn >= enough && rng_.below(5) == 0) return;
  const PairTour tour(run.key.seed, run.key.profile.epoch, run.pairs.size());
  const Draws draws = draws_of(run.key.turn - std::min(run.key.turn, run.pairs_since));
  for (uint64_t i = 0; i < draws.count; ++i) add(run.pairs[tour.at(draws.first + i)]);
}

// A site has one constraint, and two constraints never wait for each other.
void Hold::add(const SitePair& pair) {
  for (int i = 0; i < count_; ++i) {
    const SitePair& other = constraints_[i].pair;
    if (other.held == pair.held || (other.held == pair.awaited && other.awaited == pair.held)) return;
  }
  const auto ends = static_cast<Ends>(rng_.below(static_cast<uint64_t>(Ends::kCount)));
  constraints_[count_++] = {pair, ends, rng_.below(2) == 0};
}

bool Hold::is_held(uint64_t site) const {
  bool held = false;
  for (int i = 0; i < count_; ++i) held |= constraints_[i].pair.held == site;
  return held;
}

void Hold::spawned(const View& view, ThreadId child) {
  by_surw_ ? surw_.spawned(view, child) : pos_.spawned(view, child);
  pending_[child] = {};
  held_.remove(child);
}

void Hold::arrived(const Arrival& arrival) {
  by_surw_ ? surw_.arrived(arrival) : pos_.arrived(arrival);
  if (count_ == 0) return;
  pending_[arrival.thread] = {arrival.site, accessed_object(arrival.op)};
  held_.put(arrival.thread, arrival.site != 0 && is_held(arrival.site));
}

void Hold::stepped(const Arrival& step, bool event) {
  if (by_surw_) surw_.stepped(step, event);
  if (count_ == 0) return;
  const Pending executed = pending_[step.thread];
  pending_[step.thread] = {};
  held_.remove(step.thread);
  for (int i = count_ - 1; i >= 0; --i)
    if (executed.site != 0 && is_ended_by(constraints_[i], executed)) drop(i);
}

bool Hold::is_ended_by(const Constraint& constraint, const Pending& executed) const {
  if (constraint.pair.awaited != executed.site) return false;
  if (constraint.ends == Ends::kAny) return true;
  bool any = false;
  held_.for_each([&](ThreadId t) {
    const bool same = constraint.ends != Ends::kSameObject || pending_[t].object == executed.object;
    any |= same && pending_[t].site == constraint.pair.held;
  });
  return any;
}

void Hold::drop(int which) {
  const uint64_t site = constraints_[which].pair.held;
  constraints_[which] = constraints_[--count_];
  ThreadSet released;
  held_.for_each([&](ThreadId t) {
    if (pending_[t].site == site) released.add(t);
  });
  held_ = held_.minus(released);
}

// Nobody else can run.
void Hold::let_go(ThreadId t) {
  for (int i = count_ - 1; i >= 0; --i)
    if (constraints_[i].pair.held == pending_[t].site && !constraints_[i].stays) drop(i);
}

// While a thread is held no deadline comes: it would come only because that thread is not let run.
void Hold::decide(const View& view, Verdict& verdict) {
  if (__builtin_expect(view.step > patience_, 0)) {
    verdict.first = any_of(view.enabled);
    return;
  }
  if (__builtin_expect(held_.empty(), 1)) return decide_by_base(view, verdict);
  const ThreadSet threads = view.threads(), free = threads.minus(held_), held = threads.minus(free);
  if (held.empty()) return decide_by_base(view, verdict);
  if (!free.empty()) return decide_among(free, view, verdict);
  verdict.first = any_of(held);
  let_go(verdict.first);
}

void Hold::decide_by_base(const View& view, Verdict& verdict) {
  by_surw_ ? surw_.decide(view, verdict) : pos_.decide(view, verdict);
}

void Hold::decide_among(const ThreadSet& free, const View& view, Verdict& verdict) {
  narrowed_ = view;
  narrowed_.enabled = free;
  decide_by_base(narrowed_, verdict);
}

}  // namespace snarl::policy
