// The last accesses to each granule of memory, as far as a later access can race with them.
//
// A record is an epoch (FastTrack, PLDI'09): the slot and its time, with the bytes, the kind and the place. A record is
// dropped when a later access that happens after it takes its place: the same bytes at least, a write if it was one,
// plain if it was. Whatever races with the dropped one races with the later one. The table has a fixed size. A granule
// that needs another's cell takes it, and a record too many takes the oldest one's place: races may be missed then,
// but none is made up. The caller owns the memory, which is zeroed.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "detect/clocks.h"

namespace snarl::detect {

struct Record {
  uint64_t pc = 0;
  Time time = 0;  // 0: no record
  uint16_t slot = 0;
  uint8_t bytes = 0;  // a bit for each byte of the granule
  bool write : 1 = false;
  bool atomic : 1 = false;
  bool freed : 1 = false;  // no access: the memory was given back
};
static_assert(sizeof(Record) == 16);

// Would two accesses by different threads be a race, if nothing orders them?
constexpr bool conflict(const Record& a, const Record& b) {
  return (a.bytes & b.bytes) != 0 && (a.write || b.write) && !(a.atomic && b.atomic);
}

// Does whatever races with `old` also race with `later`, which happens after it?
constexpr bool covers(const Record& later, const Record& old) {
  return (old.bytes & ~later.bytes) == 0 && (later.write || !old.write) && (!later.atomic || old.atomic);
}

constexpr int kRecords = 7;  // a cell is two lines of the cache

struct alignas(64) Cell {
  uint64_t granule = 0;  // 1 + its number; 0: free
  uint32_t next = 0;     // the record that a further one replaces
  uint32_t unused = 0;
  Record records[kRecords];
};
static_assert(sizeof(Cell) == 128);

class Shadow {
 public:
  Shadow() = default;
  // The number of cells is a power of two.
  explicit Shadow(std::span<Cell> cells) : cells_(cells) {}

  // The granule's cell, empty if it was another's.
  Cell& cell(uint64_t granule) {
    Cell& cell = cells_[slot_of(granule)];
    if (cell.granule != granule + 1) empty(cell, granule + 1);
    return cell;
  }

  // The granule's first record; null: it has no cell.
  const Record* first_of(uint64_t granule) const {
    const Cell& cell = cells_[slot_of(granule)];
    return cell.granule == granule + 1 ? &cell.records[0] : nullptr;
  }

  void forget(uint64_t granule) {
    Cell& cell = cells_[slot_of(granule)];
    if (cell.granule == granule + 1) empty(cell, 0);
  }

  // Both ends included: for areas of more granules than there are cells.
  void forget(uint64_t first, uint64_t last) {
    for (Cell& cell : cells_)
      if (cell.granule > first && cell.granule <= last + 1) empty(cell, 0);
  }

  size_t size() const { return cells_.size(); }
  uint64_t lost() const { return lost_; }  // records that made room while they mattered

  // A place for a further record.
  Record& room(Cell& cell) {
    for (Record& record : cell.records)
      if (record.time == 0) return record;
    ++lost_;
    return cell.records[cell.next++ % kRecords];
  }

 private:
  // Neighbours lie side by side, and those that are far apart rarely meet.
  size_t slot_of(uint64_t granule) const { return (granule ^ mix64(granule >> 16)) & (cells_.size() - 1); }

  void empty(Cell& cell, uint64_t granule) {
    for (Record& record : cell.records) {
      if (granule != 0 && record.time != 0) ++lost_;
      record.time = 0;
    }
    cell.granule = granule;
  }

  std::span<Cell> cells_;
  uint64_t lost_ = 0;
};

}  // namespace snarl::detect
