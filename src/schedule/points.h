// Which places of a program are schedule points, besides its calls to libc: a set of levels.
#pragma once

#include <cstdint>

#include "schedule/operation.h"

namespace snarl {

// Bits of a set; part of the wire. Calls (sync) are always points.
using PointSet = uint32_t;
constexpr PointSet kSyncPoints = 1;
constexpr PointSet kAtomicPoints = 2;
constexpr PointSet kMemoryPoints = 4;     // plain accesses at places that were seen to access what others do
constexpr PointSet kAllMemoryPoints = 8;  // every plain access
constexpr PointSet kFunctionPoints = 16;  // every function's entry
constexpr PointSet kUserPoints = 32;
constexpr PointSet kDefaultPoints = kSyncPoints | kAtomicPoints | kUserPoints;

constexpr bool has_memory_points(PointSet points) { return (points & (kMemoryPoints | kAllMemoryPoints)) != 0; }

// Plain accesses are points at shared places only: which those are, earlier runs show.
constexpr bool learns_places(PointSet points) { return (points & (kMemoryPoints | kAllMemoryPoints)) == kMemoryPoints; }

// The same, with a point at every plain access.
constexpr PointSet with_all_memory(PointSet points) { return (points & ~kMemoryPoints) | kAllMemoryPoints; }

constexpr PointSet without_memory(PointSet points) { return points & ~(kMemoryPoints | kAllMemoryPoints); }

// The levels at which an operation of that kind is a point.
constexpr PointSet levels_of(OpKind kind) {
  switch (kind) {
    case OpKind::kRead:
    case OpKind::kWrite: return kMemoryPoints | kAllMemoryPoints;
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
    case OpKind::kFence:
    case OpKind::kPause: return kAtomicPoints;
    case OpKind::kFunction: return kFunctionPoints;
    case OpKind::kUser: return kUserPoints;
    default: return kSyncPoints;
  }
}

}  // namespace snarl
