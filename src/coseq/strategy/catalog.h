// The strategies by name: "pct:depth=3", "uact:depth=3,lanes=64".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "coseq/strategy/strategy.h"

namespace snarl::coseq {

// One -p: a strategy and what the user said of its shape.
struct Chosen {
  std::string text;  // with all parameters, as it is read again
  std::unique_ptr<Strategy> strategy;
  uint32_t depth = 1;
  uint32_t threads = 0;  // n and k; 0: as many as were seen
  uint64_t steps = 0;
  Shape shape(uint32_t seen_threads, uint64_t seen_steps) const {
    return {threads != 0 ? threads : seen_threads, steps != 0 ? steps : seen_steps, depth};
  }
};

// An error names what there is (exit code 2).
Expected<Chosen> parse_strategy(std::string_view text);

struct StrategyInfo {
  const char* name;
  const char* rule;
};
std::vector<StrategyInfo> strategy_catalog();

}  // namespace snarl::coseq
