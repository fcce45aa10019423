#include "policy/speed_vector.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/rng.h"

namespace snarl::policy {
namespace {

// Main and two workers: the paper's master and workers pattern, and most bugs need no more than three threads.
constexpr size_t kUsualBasis = 3;

double drawn_speed(uint64_t key) { return static_cast<double>((Rng::first(key) >> 11) + 1) * 0x1p-53; }

}  // namespace

SpeedPair sampled_pair(uint64_t nth, size_t basis, int k) {
  const auto round = static_cast<uint64_t>(2 * k);
  SpeedPair pair;
  uint64_t pairs = nth / round;
  while (pairs >= basis - 1 - pair.first) pairs -= basis - 1 - pair.first++;
  pair.second = pair.first + 1 + pairs;
  const int at = static_cast<int>(nth % round);
  pair.first_speed = at < k ? 1 : std::ldexp(1, -k);
  pair.second_speed = at < k ? std::ldexp(1, -(at + 1)) : std::ldexp(1, at + 1 - 2 * k);
  return pair;
}

void SpeedVector::begin(const Run& run, Arena& arena) {
  const PolicySpec& spec = run.key.policy;
  *this = SpeedVector();
  key_ = Rng::seed_of(run.key.seed, run.key.index, Stream::kPolicy);
  if (spec.given == static_cast<uint32_t>(SpeedText::kVector)) {
    auto* list = arena.make<SpeedList>();
    if (list->read(spec.file)) by_hand_ = list;
    return;
  }
  choose_basis(run);
  const int k = static_cast<int>(value_of(spec, SpeedParameter::kBackoff));
  sampled_ = basis_ > 1 && run.key.turn < sampled_vectors(basis_, k);
  if (sampled_) pair_ = sampled_pair(run.key.turn, basis_, k);
}

void SpeedVector::choose_basis(const Run& run) {
  if (run.key.policy.given == static_cast<uint32_t>(SpeedText::kBasis)) {
    BasisList list;
    list.read(run.key.policy.file);
    for (const uint32_t ordinal : list.threads()) members_[basis_++] = {.ordinal = ordinal};
  }
  if (basis_ == 0) choose_busiest(run);
  if (basis_ > 1) return;
  basis_ = std::min<size_t>(kUsualBasis, run.key.profile.threads);
  for (size_t t = 0; t < basis_; ++t) members_[t] = {.ordinal = static_cast<uint32_t>(t)};
}

// Main, and of the others those that had the most events in the profiling runs. Without those there are none.
void SpeedVector::choose_busiest(const Run& run) {
  members_[basis_++] = {.ordinal = 0};
  while (basis_ < kUsualBasis) {
    const ThreadCount* busiest = nullptr;
    for (const ThreadCount& count : run.counts.threads) {
      const bool known =
          std::any_of(members_, members_ + basis_, [&](const Member& m) { return m.name == count.name; });
      if (count.parent == 0 || known) continue;
      if (busiest == nullptr || count.events > busiest->events) busiest = &count;
    }
    if (busiest == nullptr) return;
    members_[basis_++] = {.name = busiest->name};
  }
}

double SpeedVector::of(uint32_t ordinal, uint64_t name) const {
  const double drawn = drawn_speed(combine(key_, ordinal == 0 ? 0 : name));
  if (by_hand_ != nullptr) {
    const std::span<const double> speeds = by_hand_->speeds(part_);
    return ordinal < speeds.size() ? speeds[ordinal] : drawn;
  }
  if (sampled_ && members_[pair_.first].is(ordinal, name)) return pair_.first_speed;
  if (sampled_ && members_[pair_.second].is(ordinal, name)) return pair_.second_speed;
  return drawn;
}

Step SpeedVector::next_change() const {
  return by_hand_ == nullptr || part_ + 1 == by_hand_->parts() ? kNoStep : by_hand_->from(part_ + 1);
}

}  // namespace snarl::policy
