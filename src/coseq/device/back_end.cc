#include "coseq/device/back_end.h"

#include <algorithm>

namespace snarl::coseq {

uint32_t lanes_for(uint64_t memory, uint64_t arena, uint32_t most) {
  constexpr uint64_t kMost = 65536, kWarp = 32;
  const uint64_t fit = memory / (arena + sizeof(LanePlan) + sizeof(LaneOutcome));
  const uint64_t wanted = most == 0 ? kMost : (most + kWarp - 1) / kWarp * kWarp;
  return static_cast<uint32_t>(std::min(fit / kWarp * kWarp, wanted));
}

}  // namespace snarl::coseq
