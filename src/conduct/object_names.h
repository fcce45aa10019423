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
#include "base/dense_index.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/storage.h"

namespace snarl::conduct {

// The stable name of an address inside of a loaded file, or 0.
using StaticName = uint64_t (*)(uint64_t address);

class ObjectNames {
 public:
  static constexpr size_t kRoom = 2048;  // objects of a run; what does not fit in has no name

  [[gnu::noinline]] void begin(Arena& arena, StaticName static_name) {
    index_ = &arena.room<Index>(1)[0];
    index_->clear();
    table_ = arena.room<Entry>(kRoom);
    static_name_ = static_name;
    used_ = 0;
    spawned(kMainThread);
  }

  void spawned(ThreadId t) { named_by_[t] = 0; }

  // The name of `object`, at which thread `t` arrives now; 0: none.
  uint64_t name(uint64_t object, ThreadId t, uint64_t thread_name) {
    if (object == 0) return 0;
    const uint64_t hash = spread(object);
    const auto is_it = [&](size_t i) { return table_[i].object == object; };
    if (const size_t at = index_->find(hash, is_it); __builtin_expect(at != Index::kNone, 1)) return table_[at].name;
    if (used_ == kRoom) return 0;
    index_->find_or_add(hash, used_, is_it);
    table_[used_] = {object, make_name(object, t, thread_name)};
    return table_[used_++].name;
  }

 private:
  using Index = DenseIndex<2 * kRoom>;

  struct Entry {
    uint64_t object = 0;
    uint64_t name = 0;
  };

  uint64_t make_name(uint64_t object, ThreadId t, uint64_t thread_name) {
    const uint64_t fixed = static_name_ == nullptr ? 0 : static_name_(object);
    return fixed != 0 ? fixed : combine(~thread_name, named_by_[t]++);
  }

  Index* index_ = nullptr;
  std::span<Entry> table_;
  StaticName static_name_ = nullptr;
  size_t used_ = 0;
  Storage<uint32_t, kMaxThreads> named_by_;  // by slot: how many objects have their name from this thread
};

}  // namespace snarl::conduct
