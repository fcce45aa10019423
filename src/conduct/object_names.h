// Names for the objects that a program synchronises on, stable across its runs.
//
// An object with a fixed place in the program or a library is named after that place. Any other object, on the heap or
// a stack, is named after the thread that arrives at it first and the number of objects that this thread had so named
// before. That name is the same in every run in which threads meet their objects in the same order, and a guess
// elsewhere.
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/storage.h"

namespace snarl::conduct {

// The stable name of an address inside of a loaded file, or 0.
using StaticName = uint64_t (*)(uint64_t address);

class ObjectNames {
 public:
  static constexpr size_t kRoom = 4096;  // 64 KB per run; what does not fit in has no name

  [[gnu::noinline]] void begin(Arena& arena, StaticName static_name) {
    table_ = arena.array<Entry>(kRoom);
    static_name_ = static_name;
    used_ = 0;
    spawned(kMainThread);
  }

  void spawned(ThreadId t) { named_by_[t] = 0; }

  // The name of `object`, at which thread `t` arrives now; 0: none.
  uint64_t name(uint64_t object, ThreadId t, uint64_t thread_name) {
    if (object == 0) return 0;
    size_t at = mix64(object) % kRoom;
    for (; table_[at].object != 0; at = (at + 1) % kRoom)
      if (table_[at].object == object) return table_[at].name;
    if (used_ == kRoom / 2) return 0;  // half full, so that a search is short
    ++used_;
    table_[at] = {object, make_name(object, t, thread_name)};
    return table_[at].name;
  }

 private:
  struct Entry {
    uint64_t object = 0;
    uint64_t name = 0;
  };

  uint64_t make_name(uint64_t object, ThreadId t, uint64_t thread_name) {
    const uint64_t fixed = static_name_ == nullptr ? 0 : static_name_(object);
    return fixed != 0 ? fixed : combine(~thread_name, named_by_[t]++);
  }

  std::span<Entry> table_;
  StaticName static_name_ = nullptr;
  size_t used_ = 0;
  Storage<uint32_t, kMaxThreads> named_by_;  // by slot: how many objects have their name from this thread
};

}  // namespace snarl::conduct
