#include "conduct/plan_runner.h"

#include <algorithm>

namespace snarl {

void PlanRunner::begin(const Plan& plan) {
  planned_ = plan.ranks;
  changes_ = plan.changes;
  insert_ = plan.insert;
  at_ = 0;
  known_ = 0;
  floor_ = 0;
  for (const Change& change : changes_) floor_ = std::max(floor_, change.rank);
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.step != b.step ? a.step < b.step : a.rank > b.rank;
  });
}

void PlanRunner::spawned(ThreadId t, uint32_t ordinal) {
  ranks_[t] = ordinal < planned_.size() ? planned_[ordinal] : insert_rank();
}

void PlanRunner::sort_planned() {
  known_ = std::min<size_t>(planned_.size(), kMaxThreads);
  std::copy_n(planned_.begin(), known_, sorted_.data());
  std::sort(sorted_.data(), sorted_.data() + known_);
}

// m ranks leave m + 1 places; the new rank lies half way between its neighbours. Where
// threads come and go beyond kMaxThreads, the late ones get the rank of a neighbour.
Rank PlanRunner::insert_rank() {
  if (known_ == 0) sort_planned();
  const size_t place = insert_.below(known_ + 1);
  const Rank low = place == 0 ? floor_ : sorted_[place - 1];
  if (known_ == kMaxThreads) return low + 1;
  const Rank high = place == known_ ? ~Rank{0} : sorted_[place];
  Rank* ranks = sorted_.data();
  std::copy_backward(ranks + place, ranks + known_, ranks + known_ + 1);
  ++known_;
  return sorted_[place] = low + (high - low) / 2;
}

ThreadId PlanRunner::best(const ThreadSet& among) const {
  ThreadId best = among.first();
  among.for_each([&](ThreadId t) {
    if (ranks_[t] > ranks_[best]) best = t;
  });
  return best;
}

}  // namespace snarl
