// When a policy has no more to show: for long, each schedule that it drew had been seen before. Pure.
//
// Looked at at fixed indices only, when all runs below are finished, and in the order of indices: so it does not depend
// on the number of workers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/exhausted.h"
#include "schedule/rota.h"

namespace snarl::explore {

class Exhaustion {
 public:
  static constexpr uint64_t kInterval = 1024;  // indices between two looks: workers hardly ever wait for each other

  explicit Exhaustion(const Rota& rota, size_t policies) : rota_(rota), rows_(policies, 0) {}

  // A run is finished. `hash`: of its schedule; none: nobody knows. `new_point`: it showed a place that should be one:
  // what was drawn so far says little about the schedules to come.
  void note(uint64_t index, std::optional<uint64_t> hash, bool new_point) {
    noted_.push_back({index, hash, new_point});
  }

  // All runs below are finished. `first_of(hash)`: the smallest index with that schedule.
  template <typename FirstOf>
  void look(const FirstOf& first_of);

  bool is_over(size_t policy) const { return rows_[policy] >= kEnoughSeen; }

 private:
  struct Noted {
    uint64_t index;
    std::optional<uint64_t> hash;
    bool new_point;
  };
  Rota rota_;
  std::vector<Noted> noted_;    // since the last look
  std::vector<uint64_t> rows_;  // by policy: its schedules in a row that were not new
};

template <typename FirstOf>
void Exhaustion::look(const FirstOf& first_of) {
  std::ranges::sort(noted_, {}, &Noted::index);
  for (const Noted& run : noted_) {
    if (run.new_point) std::ranges::fill(rows_, 0);
    uint64_t& row = rows_[rota_.policy_at(run.index)];
    const bool is_new = !run.hash || first_of(*run.hash) == run.index;
    row = is_new ? 0 : row + 1;
  }
  noted_.clear();
}

}  // namespace snarl::explore
