// Reset rewind: orders of many runs that one process makes one after the other, and how those runs went.
//
// The explorer writes the orders while no run is under way, and `stop` at any time; everything else is the process's.
// The tables of the wire (counts, groups, pairs, places) are the same for all runs of a series. A run whose command
// says that it has no entries of them has none.
#pragma once

#include <atomic>
#include <cstdint>

#include "wire/layout.h"

namespace snarl::wire {

constexpr uint32_t kMaxSeries = 256;

// A run that came to its end in a process that goes on.
struct EndedRun {
  uint64_t output = 0;  // hash of what it wrote to its standard output and its standard error (base/output_hash.h)
  // Entries of the tables of the series after this run: its own lie behind those of the run before.
  uint32_t pairs = 0, learned = 0;
  State state;  // up to the message, which is not filled in
};

struct Series {
  uint32_t count = 0;              // of orders
  std::atomic<uint32_t> stop{0};   // not 0: begin no other run
  std::atomic<uint32_t> begun{0};  // runs that were begun
  uint32_t ended = 0;              // runs that came to their end: all but the last passed
  uint32_t last_passed = 0;        // the last did, too
  // So many of them, from the first on, began where a new process would have. Less than all: a run wrote where none had
  // written before, and the later ones may have seen it.
  uint32_t sure = 0;
  uint32_t places = 0;  // entries of the wire's `places`, for all runs that have some
  uint32_t unused = 0;
  alignas(64) Command orders[kMaxSeries];
  alignas(4096) EndedRun runs[kMaxSeries];
  alignas(4096) SitePair met_pairs[kMaxPairs];    // that no run had met before
  alignas(4096) SharedPlace learned[kMaxPlaces];  // that are not among `places`
};

}  // namespace snarl::wire
