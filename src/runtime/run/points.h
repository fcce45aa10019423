// Schedule points that are not calls to libc: atomics, memory accesses, function entries, the user's own.
//
// All instrumentation (compiled in, patched in, or called by hand) ends in snarl_rt_point. A level that
// is not switched on (--points) has no points: its calls return at once.
#pragma once

#include <cstdint>

#include "schedule/operation.h"

namespace snarl::runtime {

// The entry of a function that the user named, called from `caller`: a point at every level.
void function_point(uint64_t pc, uint64_t caller);
// A load of a loop that was seen to spin, likewise.
void spin_point(uint64_t pc, uint64_t address, uint32_t size);

}  // namespace snarl::runtime

extern "C" {
// what: an OpKind from kRead to kUser, and the order of an atomic one (instrument/block.h); without an order it counts
// as sequentially consistent. pc: the place, a return address. Before the access.
void snarl_rt_point(uint32_t what, uint64_t pc, uint64_t address, uint32_t size);
// After a read-modify-write, which may enable others that spin. Its order is the one that it turned out to have.
void snarl_rt_point_after(uint32_t what, uint64_t pc, uint64_t address);
}
