// Which objects were destroyed, or lay in freed memory, until they are initialised again: where, and by which thread.
//
// A record for reports, not the truth. Memory may become another object without a call that we see, so the caller must
// look at the object as well. A new entry may push out an old one; then a misuse of that one is missed, never invented.
#pragma once

#include <cstdint>

#include "base/storage.h"
#include "schedule/operation.h"

namespace snarl::model {

struct Destroyed {
  uint64_t object = 0;  // 0: no entry
  uint64_t pc = 0;
  uint32_t thread = 0;  // ordinal
  ObjectKind kind = ObjectKind::kNone;
  bool freed = false;  // its memory was freed; the kind of object is not known
  uint16_t run = 0;    // set by the table: entries of earlier runs don't count
};
static_assert(sizeof(Destroyed) == 24);

class DestroyedTable {
 public:
  static constexpr uint32_t kBits = 10;
  using Room = Storage<Destroyed, 1 << kBits>;

  explicit DestroyedTable(Room& room) : entries_(room) {}

  void begin() {
    used_ = false;
    ++run_;
  }

  void add(const Destroyed& entry) {
    if (!is_clear_) clear();
    used_ = true;
    entries_[home(entry.object)] = entry;
    entries_[home(entry.object)].run = run_;
  }
  void remove(uint64_t object) {
    if (find(object) != nullptr) entries_[home(object)] = Destroyed();
  }
  const Destroyed* find(uint64_t object) const {
    if (__builtin_expect(!used_, 1)) return nullptr;
    const Destroyed& entry = entries_[home(object)];
    return entry.object == object && entry.run == run_ ? &entry : nullptr;
  }

 private:
  static uint32_t home(uint64_t object) { return static_cast<uint32_t>(object * 0x9e3779b97f4a7c15 >> (64 - kBits)); }
  void clear() {
    for (uint32_t i = 0; i < 1 << kBits; ++i) entries_[i] = Destroyed();
    is_clear_ = true;
  }

  bool used_ = false;      // by this run
  bool is_clear_ = false;  // false: the memory was not touched
  uint16_t run_ = 0;
  Room& entries_;
};

}  // namespace snarl::model
