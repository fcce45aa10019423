// How the schedules of one -p are chosen: a strategy of lanes, or any serial policy of the catalog.
#pragma once

#include <optional>
#include <string>

#include "coseq/strategy/catalog.h"
#include "schedule/run_key.h"

namespace snarl::coseq {

struct Method {
  std::string text;  // with all parameters, as it is read again
  Chosen chosen;     // a strategy; without one it is the policy
  PolicySpec policy;

  bool is_policy() const { return chosen.strategy == nullptr; }
  uint64_t group_size() const { return is_policy() ? 1 : chosen.strategy->group_size(); }
  Counts counts() const { return is_policy() ? Counts::kNothing : chosen.strategy->counts(); }
};

// An error names what there is (exit code 2).
Expected<Method> parse_method(const std::string& text);

}  // namespace snarl::coseq
