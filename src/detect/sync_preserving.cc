#include "detect/sync_preserving.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace snarl::detect {
namespace {

// Places, and which of them write, the smaller place first.
using Pair = std::tuple<uint64_t, bool, uint64_t, bool>;

Pair pair_of(const AccessList& a, const AccessList& b) {
  const bool first = std::tuple(a.pc, a.write) <= std::tuple(b.pc, b.write);
  const AccessList &one = first ? a : b, &other = first ? b : a;
  return {one.pc, one.write, other.pc, other.write};
}

class Predictor {
 public:
  Predictor(const PredictTrace& trace, size_t most, uint64_t most_work)
      : trace_(trace),
        strong_(trace, PredictClocks::Order::kStrong),
        clocks_(trace, PredictClocks::Order::kSyncPreserving),
        most_(most),
        work_left_(most_work * (trace.size() + 1)) {}

  PredictedRaces run() {
    for (const std::vector<AccessList>& lists : trace_.variables())
      for (size_t i = 0; i < lists.size() && !is_over(); ++i)
        for (size_t j = 0; j < lists.size() && !is_over(); ++j)
          if (conflict(lists[i], lists[j]) && !known_.contains(pair_of(lists[i], lists[j]))) look(lists[i], lists[j]);
    result_.cut = is_over() || end() < trace_.size();
    std::ranges::sort(result_.races, {}, &PredictedRace::later);
    return std::move(result_);
  }

 private:
  bool is_over() const { return work_left_ == 0 || result_.races.size() >= most_; }
  EventIndex end() const { return std::min(strong_.end(), clocks_.end()); }
  bool has_before(EventIndex event) const { return trace_.nth(event) > 1; }
  EventIndex before(EventIndex event) const { return trace_.at(trace_.thread(event), trace_.nth(event) - 1); }

  // Pairs of an access of `first` and a later one of `second`. An access that the closure of a pair has is in that of
  // each pair with a later second access, too: so each is passed by once.
  void look(const AccessList& first, const AccessList& second) {
    size_t at = 0;
    for (const EventIndex later : second.events) {
      if (later >= end() || !has_before(later)) continue;
      for (; at < first.events.size() && first.events[at] < later; ++at) {
        if (work_left_ == 0) return;
        --work_left_;
        const EventIndex earlier = first.events[at];
        if (!has_before(earlier)) continue;
        if (clocks_.of(before(later), first.thread) >= trace_.nth(earlier)) continue;
        if (!note_if_race(earlier, later)) continue;
        known_.insert(pair_of(first, second));
        return;
      }
    }
  }

  bool note_if_race(EventIndex earlier, EventIndex later) {
    Cut cut(trace_.threads());
    clocks_.join(cut, before(earlier));
    clocks_.join(cut, before(later));
    const auto is_free = [&](EventIndex event) { return cut[trace_.thread(event)] < trace_.nth(event); };
    if (!clocks_.close(cut) || !is_free(earlier) || !is_free(later)) return false;
    const bool follows = strong_.of(before(later), trace_.thread(earlier)) < trace_.nth(earlier);
    result_.races.push_back({earlier, later, follows, stretches_of(trace_, cut)});
    return true;
  }

  const PredictTrace& trace_;
  PredictClocks strong_, clocks_;
  size_t most_;
  uint64_t work_left_;
  std::set<Pair> known_;
  PredictedRaces result_;
};

}  // namespace

void add_step(const PredictTrace& trace, EventIndex event, std::vector<Stretch>& order) {
  const uint32_t ordinal = trace.ordinal(trace.thread(event));
  if (order.empty() || order.back().ordinal != ordinal) order.push_back({ordinal, 0});
  order.back().steps = trace.nth(event);
}

std::vector<Stretch> stretches_of(const PredictTrace& trace, const Cut& cut) {
  std::vector<Stretch> result;
  for (EventIndex i = 0; i < trace.size(); ++i) {
    if (trace.nth(i) <= cut[trace.thread(i)]) add_step(trace, i, result);
  }
  return result;
}

PredictedRaces sync_preserving_races(const PredictTrace& trace, size_t most, uint64_t most_work) {
  return Predictor(trace, most, most_work).run();
}

}  // namespace snarl::detect
