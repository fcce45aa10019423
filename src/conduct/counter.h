// Counts what a profiling run does: events per thread, and per thread and object.
//
// The tables are in memory of the caller (the wire), open-addressed: an entry stands where its hash puts it, empty
// entries are zero, and what does not fit is not counted.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "schedule/run.h"

namespace snarl::conduct {

class Counter {
 public:
  // Sizes are powers of two. Clears both.
  Counter(std::span<ThreadCount> threads, std::span<ObjectCount> objects) : threads_(threads), objects_(objects) {
    for (ThreadCount& entry : threads_) entry = ThreadCount();
    for (ObjectCount& entry : objects_) entry = ObjectCount();
    spawned(kMainName, 0);
  }

  void spawned(uint64_t thread, uint64_t parent) {
    if (ThreadCount* entry = find(thread)) *entry = {thread, parent, 0};
  }

  // `object` 0: the event accesses none.
  void count(uint64_t thread, uint64_t object) {
    if (ThreadCount* entry = find(thread)) ++entry->events;
    if (object == 0) return;
    if (ObjectCount* entry = find(thread, object)) *entry = {thread, object, entry->events + 1};
  }

 private:
  static constexpr size_t kMostProbes = 64;

  ThreadCount* find(uint64_t thread) {
    for (size_t i = 0; i < kMostProbes; ++i) {
      ThreadCount& entry = threads_[(thread + i) & (threads_.size() - 1)];
      if (entry.name == thread || entry.name == 0) return &entry;
    }
    return nullptr;
  }

  ObjectCount* find(uint64_t thread, uint64_t object) {
    const uint64_t hash = combine(thread, object);
    for (size_t i = 0; i < kMostProbes; ++i) {
      ObjectCount& entry = objects_[(hash + i) & (objects_.size() - 1)];
      if ((entry.thread == thread && entry.object == object) || entry.thread == 0) return &entry;
    }
    return nullptr;
  }

  std::span<ThreadCount> threads_;
  std::span<ObjectCount> objects_;
};

}  // namespace snarl::conduct
