// A strategy fills the plans of lanes: who is before whom, and after which steps that changes.
//
// Pure: all its randomness comes from the seed and the number of the group, and it knows nothing of what runs the
// plans. So it serves every back end. A new one is a file of its own and a row in strategy/catalog.cc.
#pragma once

#include <cstdint>
#include <span>

#include "coseq/strategy/lane_plan.h"

namespace snarl::coseq {

// What plans are drawn for.
struct Shape {
  uint32_t threads = 2;  // n
  uint64_t steps = 1;    // k
  uint32_t depth = 1;    // d: d - 1 changes
};

// What the chance of a bug that was not found is computed from.
enum class Counts {
  kLanes,   // each lane is a run of pct, independent of all others
  kGroups,  // each lane is a run of pct, but those of a group depend on one another: together they are one run
  kNothing,
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  virtual Counts counts() const = 0;
  // How many lanes are drawn together: they share priorities, and changes as long as possible.
  virtual uint32_t group_size() const { return 1; }
  // `lanes`: group_size() of them.
  virtual void fill(uint64_t seed, uint64_t group, const Shape& shape, std::span<LanePlan> lanes) const = 0;
};

}  // namespace snarl::coseq
