#include "record/own_stacks.h"

#include <algorithm>
#include <tuple>

namespace snarl::record {

void OwnStackTable::learn(std::span<const OwnStacks> shown) {
  for (const OwnStacks& own : shown) {
    if (own.threads == 0) continue;
    OwnStacks& known = entry_of(own.size, own.guard_size);
    known.threads = std::max(known.threads, own.threads);
    known.at_once = std::max(known.at_once, own.at_once);
  }
}

OwnStacks& OwnStackTable::entry_of(uint64_t size, uint64_t guard_size) {
  const auto known = std::ranges::find_if(seen_, [&](const OwnStacks& own) { return own.is_of(size, guard_size); });
  return known != seen_.end() ? *known : seen_.emplace_back(OwnStacks{.size = size, .guard_size = guard_size});
}

void OwnStackTable::tell(std::span<OwnStacks, kMostOwnStacks> most) const {
  std::ranges::fill(most, OwnStacks());
  std::ranges::partial_sort_copy(seen_, most, [](const OwnStacks& a, const OwnStacks& b) {
    return std::tie(b.threads, a.size, a.guard_size) < std::tie(a.threads, b.size, b.guard_size);
  });
  for (OwnStacks& own : most) own.at_once = own.at_once > kFewAtOnce ? own.at_once : 0;
}

}  // namespace snarl::record
