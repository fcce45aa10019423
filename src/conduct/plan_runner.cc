#include "conduct/plan_runner.h"

#include <algorithm>
#include <utility>

namespace snarl::conduct {
namespace {

constexpr size_t kFewChanges = 16;

}  // namespace

void PlanRunner::begin(const policy::Plan& plan) {
  planned_ = plan.ranks;
  changes_ = plan.changes;
  insert_.begin_as(plan.insert);
  adversary_.begin_as(plan.adversary);
  parallel_above_ = plan.parallel_above;
  at_ = 0;
  known_ = 0;
  drew_ = false;
  early_timers_ = plan.early_timers;
  timers_ = 0;
  floor_ = 0;
  for (const policy::Change& change : changes_) floor_ = std::max(floor_, change.rank);
  sort_changes();
  look_ahead();
}

// Insertion sort: there are mostly few.
void PlanRunner::sort_changes() {
  const auto before = [](const policy::Change& a, const policy::Change& b) {
    return a.step != b.step ? a.step < b.step : a.rank > b.rank;
  };
  if (changes_.size() > kFewChanges) return std::sort(changes_.begin(), changes_.end(), before);
  for (size_t i = 1; i < changes_.size(); ++i)
    for (size_t k = i; k > 0 && before(changes_[k], changes_[k - 1]); --k) std::swap(changes_[k], changes_[k - 1]);
}

void PlanRunner::change(Step step, ThreadId t) {
  while (at_ < changes_.size() && changes_[at_].step <= step) lower(t, changes_[at_++].rank);
  look_ahead();
}

// Late timers are in a random order, too.
void PlanRunner::timer_set(ThreadId timer) {
  if (timers_++ == 0) timers_are_late_ = early_timers_ > 1 && insert_.below(early_timers_) != 0;
  ranks_[timer] = timers_are_late_ ? insert_.below(policy::kLateTimers) : random_rank();
}

void PlanRunner::sort_planned() {
  known_ = std::min<size_t>(planned_.size(), kMaxThreads);
  std::copy_n(planned_.begin(), known_, sorted_.data());
  std::sort(sorted_.data(), sorted_.data() + known_);
}

// m ranks leave m + 1 places.
size_t PlanRunner::random_place() {
  if (known_ == 0) sort_planned();
  return insert_.below(known_ + 1);
}

// Half way between the neighbours.
policy::Rank PlanRunner::rank_at(size_t place) const {
  const policy::Rank low = place == 0 ? floor_ : sorted_[place - 1];
  const policy::Rank high = place == known_ ? ~policy::Rank{0} : sorted_[place];
  return low + (high - low) / 2;
}

// If more than kMaxThreads threads come and go, the later ones get no place in the order.
policy::Rank PlanRunner::insert_rank() {
  const size_t place = random_place();
  const policy::Rank rank = rank_at(place);
  if (known_ == kMaxThreads) return rank;
  policy::Rank* ranks = sorted_.data();
  std::copy_backward(ranks + place, ranks + known_, ranks + known_ + 1);
  ++known_;
  return sorted_[place] = rank;
}

ThreadId PlanRunner::any_of_highest(const ThreadSet& among) {
  ThreadId best = among.first();
  int high = 0;
  among.for_each([&](ThreadId t) {
    if (ranks_[t] > ranks_[best]) best = t;
    high += ranks_[t] > parallel_above_;
  });
  drew_ = high > 1;
  return drew_ ? among.minus(low(among)).nth(static_cast<int>(adversary_.below(static_cast<uint64_t>(high)))) : best;
}

ThreadSet PlanRunner::low(const ThreadSet& among) const {
  ThreadSet result;
  if (parallel_above_ == policy::kNoRank) return result;
  among.for_each([&](ThreadId t) {
    if (ranks_[t] <= parallel_above_) result.add(t);
  });
  return result;
}

}  // namespace snarl::conduct
