#include "detect/predict_clocks.h"

#include <algorithm>

namespace snarl::detect {

PredictClocks::PredictClocks(const PredictTrace& trace, Order order) : trace_(trace), order_(order) {
  version_.reserve(trace.size());
  pool_.assign(trace.threads(), 0);
  while (end_ < trace.size() && add(end_)) ++end_;
}

void PredictClocks::join(Cut& cut, EventIndex event) const {
  const uint32_t* row = pool_.data() + size_t{version_[event]} * trace_.threads();
  for (uint32_t t = 0; t < trace_.threads(); ++t) cut[t] = std::max(cut[t], row[t]);
  uint32_t& own = cut[trace_.thread(event)];
  own = std::max(own, trace_.nth(event));
}

// Most events need nothing but the one before them, and share its row: a thread's own time is not in it.
bool PredictClocks::add(EventIndex event) {
  const uint32_t thread = trace_.thread(event), nth = trace_.nth(event);
  const uint32_t before = nth == 1 ? 0 : version_[trace_.at(thread, nth - 1)];
  const Section* section = trace_.section_at(event);
  version_.push_back(before);
  if (trace_.needs(event).empty() && section == nullptr) return true;
  Cut cut(trace_.threads());
  join(cut, event);
  for (const EventIndex needed : trace_.needs(event)) join(cut, needed);
  if (section != nullptr && order_ == Order::kStrong) {
    const auto& users = trace_.users(section->lock);
    for (const std::vector<uint32_t>& user : users) {
      const auto next =
          std::ranges::lower_bound(user, event, {}, [&](uint32_t s) { return trace_.section(s).acquire; });
      if (next == user.begin()) continue;
      if (const EventIndex release = trace_.section(*std::prev(next)).release; release < event) join(cut, release);
    }
  }
  if (order_ == Order::kSyncPreserving) close(cut);
  cut[thread] = 0;
  const auto row = pool_.begin() + static_cast<ptrdiff_t>(size_t{before} * trace_.threads());
  return std::equal(cut.begin(), cut.end(), row) || keep(event, cut);
}

bool PredictClocks::keep(EventIndex event, const Cut& cut) {
  if (pool_.size() + cut.size() > kMostTimes) return false;
  version_[event] = static_cast<uint32_t>(pool_.size() / trace_.threads());
  pool_.insert(pool_.end(), cut.begin(), cut.end());
  return true;
}

bool PredictClocks::close(Cut& cut) const {
  while (const Section* section = overtaken(cut)) {
    if (section->release == kNoEvent || section->release >= version_.size()) return false;
    join(cut, section->release);
  }
  return true;
}

// A section that is not over in the cut, though a later one of the same lock has begun.
const Section* PredictClocks::overtaken(const Cut& cut) const {
  for (uint32_t t = 0; t < trace_.threads(); ++t)
    for (const uint32_t index : trace_.held(t, cut[t]))
      if (const Section& section = trace_.section(index); is_overtaken(section, cut)) return &section;
  return nullptr;
}

bool PredictClocks::is_overtaken(const Section& section, const Cut& cut) const {
  return std::ranges::any_of(trace_.users(section.lock), [&](const std::vector<uint32_t>& user) {
    const uint32_t thread = trace_.section(user.front()).thread;
    if (thread == section.thread) return false;
    const auto next = std::ranges::upper_bound(user, cut[thread], {},
                                               [&](uint32_t s) { return trace_.nth(trace_.section(s).acquire); });
    return next != user.begin() && trace_.section(*std::prev(next)).acquire > section.acquire;
  });
}

}  // namespace snarl::detect
