// What a warp of lanes would cost on a GPU: a model, which is computed from the steps that each lane takes.
//
// Pure. A warp runs one instruction for all of its lanes that are at it, and the others wait. Two models say when lanes
// that have parted are together again; a GPU lies between them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace snarl::coseq::simt {

// One step of one lane: where its code begins, and how many instructions it has.
struct Step {
  uint32_t code = 0;
  uint32_t cost = 0;
};
using Schedule = std::vector<Step>;

struct WarpCost {
  uint64_t cost = 0;      // instructions that the warp goes through, one after the other
  uint64_t useful = 0;    // of all lanes together
  uint32_t distinct = 0;  // schedules
  // The part of the warp's slots in which a lane does something.
  double efficiency(size_t lanes) const {
    return cost == 0 ? 1 : static_cast<double>(useful) / (static_cast<double>(cost) * static_cast<double>(lanes));
  }
};

// Lanes that have parted never meet again: those run together that have the same steps up to there.
WarpCost without_meeting(std::span<const Schedule> lanes);

// After each step all lanes come back to the scheduler, which costs `scheduler` instructions; then those run together
// that are at the same code, as long as the longest of them.
WarpCost with_meeting(std::span<const Schedule> lanes, uint32_t scheduler);

// Blocks of so many warps each, in order, in whichever of the places for a block is free first. A block is as slow as
// its slowest warp. The time until all are done.
uint64_t makespan(std::span<const uint64_t> warps, size_t warps_per_block, size_t places);

}  // namespace snarl::coseq::simt
