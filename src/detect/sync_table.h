// What is known of each thing that orders threads: the clock that whoever acquires it takes over. The caller owns the
// memory, which is zeroed.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "detect/clocks.h"
#include "schedule/memory_order.h"

namespace snarl::detect {

// One address may be several things: a futex word is an atomic variable, too.
enum class Role : uint8_t { kLock = 1, kReaders, kAtomic, kFutex, kSignal, kOutside };

struct Sync {
  uint64_t address = 0;
  Role role = {};                          // none: no entry
  MemoryOrder order = MemoryOrder::kNone;  // an atomic variable: of its last store ...
  uint16_t slot = 0;  // ... and the thread that made it; a read-write lock: 1 + the slot that has it for writing
  Time time = 0;      // an atomic variable: of that thread at its store
  uint64_t pc = 0;    // likewise, the place
  Clock released = {};
  Clock observed = {};  // as if every atomic operation were sequentially consistent
};

class SyncTable {
 public:
  SyncTable() = default;
  // A power of two; at most three quarters are used.
  explicit SyncTable(std::span<Sync> slots) : slots_(slots) {}

  bool is_full() const { return used_ >= slots_.size() / 4 * 3; }

  // Null if there is none.
  Sync* find(uint64_t address, Role role) {
    Sync& sync = slots_[slot_of(address, role)];
    return sync.role == Role{} ? nullptr : &sync;
  }

  // Null if there is no room.
  Sync* make(uint64_t address, Role role) {
    Sync& sync = slots_[slot_of(address, role)];
    if (sync.role != Role{}) return &sync;
    if (is_full()) return nullptr;
    ++used_;
    sync.address = address;
    sync.role = role;
    return &sync;
  }

 private:
  size_t slot_of(uint64_t address, Role role) const {
    const size_t mask = slots_.size() - 1;
    size_t at = mix64(address + static_cast<uint64_t>(role) * 0x9e3779b97f4a7c15) & mask;
    while (slots_[at].role != Role{} && (slots_[at].address != address || slots_[at].role != role))
      at = (at + 1) & mask;
    return at;
  }

  std::span<Sync> slots_;
  size_t used_ = 0;
};

}  // namespace snarl::detect
