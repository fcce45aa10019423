// A profile (n, k) is frozen per epoch: these are the indices at which a new one begins (spec 0, rule 13).
#pragma once

#include <cstdint>

namespace snarl {

constexpr uint64_t kFirstBoundary = 64;  // early enough to learn, late enough that the maxima mean something
constexpr uint64_t kBoundaryGrowth = 16;
constexpr uint64_t kProfilingSalt = 0x70726f66696c65;  // "profile": no campaign index has the draws of a profiling run

// The one after `boundary`; 0 is the first.
constexpr uint64_t next_boundary(uint64_t boundary) { return boundary == 0 ? kFirstBoundary : boundary * kBoundaryGrowth; }

}  // namespace snarl
