// snarl lanes --simt: what the strategies would cost on a GPU.
#pragma once

#include "coseq/host/lane.h"

namespace snarl::coseq {

struct SimtWanted {
  uint64_t seed = 0;
  uint64_t budget = 0;  // steps of a schedule
  uint32_t warps = 8;   // of each strategy and depth
  bool json = false;
};

// The lane's code counts its instructions. The exit code.
int report_simt(Lane& lane, const SimtWanted& wanted);

}  // namespace snarl::coseq
