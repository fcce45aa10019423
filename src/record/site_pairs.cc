#include "record/site_pairs.h"

#include <algorithm>

#include "schedule/pair_tour.h"

namespace snarl::record {

SitePairs read_pairs(const wire::Layout& layout) {
  const uint32_t said = *const_cast<const volatile uint32_t*>(&layout.state.met_pairs);  // once: it may change under us
  return {layout.met_pairs, layout.met_pairs + std::min(said, kMaxPairs)};
}

void write_pairs(const SitePairs* pairs, uint64_t since, wire::Layout& layout) {
  layout.command.pairs = 0;
  if (pairs == nullptr) return;
  layout.command.pairs = static_cast<uint32_t>(std::min<size_t>(pairs->size(), kMaxPairs));
  layout.command.pairs_since = since;
  std::copy_n(pairs->begin(), layout.command.pairs, layout.pairs);
}

// Of too many, those in front in the order of pairs stay: which these are does not depend on who came first.
void PairTable::learn(const SitePairs& pairs) {
  for (const SitePair& pair : pairs) tried_.try_emplace(pair, 0);
  while (tried_.size() > kMost) tried_.erase(std::prev(tried_.end()));
}

void PairTable::note_tried(const SitePairs& pairs, uint64_t seed, uint64_t epoch, uint64_t draws) {
  if (pairs.empty()) return;
  const PairTour tour(seed, epoch, pairs.size());
  const uint64_t rounds = draws / pairs.size();
  for (const SitePair& pair : pairs) tried_[pair] += rounds;
  for (uint64_t i = rounds * pairs.size(); i < draws; ++i) ++tried_[pairs[tour.at(i)]];
}

std::shared_ptr<const SitePairs> PairTable::freeze(uint64_t seed) const {
  struct Row {
    uint64_t tried, draw;
    SitePair pair;
    auto operator<=>(const Row&) const = default;
  };
  std::vector<Row> rows;
  for (const auto& [pair, tried] : tried_) rows.push_back({tried, combine(seed, hash_of(pair)), pair});
  std::ranges::sort(rows);
  auto pairs = std::make_shared<SitePairs>();
  for (const Row& row : rows)
    if (pairs->size() < kMaxPairs) pairs->push_back(row.pair);
  return pairs;
}

}  // namespace snarl::record
