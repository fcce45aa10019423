// What is left to do, by thread: its own events and those of descendants that don't exist yet.
#pragma once

#include <span>

#include "base/arena.h"
#include "base/ids.h"
#include "schedule/run.h"

namespace snarl::policy {

// From the frozen counts of profiling runs. A thread that they don't know has nothing to do. Once
// per run: begin(), then every spawn and every counted event.
class Shares {
 public:
  // All events, or (object not 0) only the accesses to that object.
  void begin(const Counts& counts, uint64_t object, Arena& arena);

  // The child's share moves from its parent to it.
  void spawned(ThreadId parent, ThreadId child, uint64_t child_name);

  void take(ThreadId t) {
    if (own_[t] > 0) --own_[t];
  }

  uint64_t own(ThreadId t) const { return own_[t]; }
  uint64_t unspawned(ThreadId t) const { return unspawned_[t]; }

 private:
  struct Row {
    uint64_t name = 0;
    uint64_t parent = 0;
    uint64_t own = 0;
    uint64_t family = 0;  // its own and all its descendants'
  };

  Row* find(uint64_t name);
  void add_to_family(const Row& row);

  std::span<Row> rows_;            // by name
  std::span<uint64_t> own_;        // by slot
  std::span<uint64_t> unspawned_;  // by slot
};

}  // namespace snarl::policy
