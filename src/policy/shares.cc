#include "policy/shares.h"

#include <algorithm>

#include "base/hash.h"

namespace snarl::policy {

Shares::Row* Shares::find(uint64_t name) {
  const auto at =
      std::lower_bound(rows_.begin(), rows_.end(), name, [](const Row& row, uint64_t n) { return row.name < n; });
  return at != rows_.end() && at->name == name ? &*at : nullptr;
}

// The counts may be anything: a circle of parents ends after as many generations as there are threads.
void Shares::add_to_family(const Row& row) {
  Row* member = find(row.name);
  for (size_t generations = 0; member != nullptr && generations <= rows_.size(); ++generations) {
    member->family += row.own;
    member = member->parent == 0 ? nullptr : find(member->parent);
  }
}

void Shares::begin(const Counts& counts, uint64_t object, Arena& arena) {
  rows_ = arena.array<Row>(counts.threads.size());
  own_ = arena.array<uint64_t>(kMaxSlots);
  unspawned_ = arena.array<uint64_t>(kMaxSlots);
  for (size_t i = 0; i < rows_.size(); ++i)
    rows_[i] = {counts.threads[i].name, counts.threads[i].parent, object == 0 ? counts.threads[i].events : 0, 0};
  if (object != 0)
    for (const ObjectCount& count : counts.objects)
      if (Row* row = count.object == object ? find(count.thread) : nullptr) row->own = count.events;
  for (const Row& row : rows_) add_to_family(row);
  if (const Row* main = find(kMainName)) {
    own_[kMainThread] = main->own;
    unspawned_[kMainThread] = main->family - main->own;
  }
}

void Shares::spawned(ThreadId parent, ThreadId child, uint64_t child_name) {
  const Row* row = find(child_name);
  own_[child] = row == nullptr ? 0 : row->own;
  unspawned_[child] = row == nullptr ? 0 : row->family - row->own;
  if (row != nullptr) unspawned_[parent] -= std::min(unspawned_[parent], row->family);
}

}  // namespace snarl::policy
