// Happens-before of one serial run, and the accesses that nothing orders.
//
// Vector clocks with epochs (FastTrack, PLDI'09), atomics by their memory order (C++20, [intro.races]): a release
// sequence is continued by read-modify-writes of any thread and order and ended by any other store; a relaxed
// operation takes part by the fences around it. Told of each access and operation in the order in which they were
// performed, by whoever has the turn. Makes no call and allocates nothing: the caller owns the memory, which is zeroed.
// When that is used up the detector says is_full() and reports nothing more.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "detect/shadow.h"
#include "detect/sync_table.h"
#include "schedule/memory_order.h"
#include "schedule/operation.h"

namespace snarl::detect {

struct Memory {
  std::span<Time> clocks;
  std::span<Cell> cells;  // a power of two
  std::span<Sync> syncs;  // likewise
};

struct Access {
  uint64_t address = 0, size = 0, pc = 0;
  bool write = false, atomic = false;
};

// Somebody's earlier access that nothing orders before the one that was told.
struct Race {
  Record earlier;
  uint64_t granule = 0;
  bool gone = false;  // its thread has ended
};

class Detector {
 public:
  Detector() = default;
  explicit Detector(const Memory& memory);

  bool is_full() const { return clocks_.is_full() || syncs_full_; }
  uint64_t lost() const { return shadow_.lost(); }

  // A thread begins in that slot: all that its creator did comes before.
  void created(ThreadId creator, ThreadId child);
  void ended(ThreadId thread);

  // A call was performed, with that result.
  void performed(ThreadId thread, const Op& op, int result);

  // The routine of a once object is done.
  void once_done(ThreadId thread, uint64_t object) { release(thread, object, Role::kLock); }

  // An atomic operation and its access: load() before access(), store() after it. An update is both: load(), access(),
  // update().
  void load(ThreadId thread, uint64_t address, MemoryOrder order);
  void store(ThreadId thread, uint64_t address, MemoryOrder order);
  void update(ThreadId thread, uint64_t address, MemoryOrder order);
  void fence(ThreadId thread, MemoryOrder order);

  // `tell` is called with each Race; what it answers false to was none.
  template <typename F>
  void access(ThreadId thread, const Access& access, F&& tell) {
    if (access.size == 0 || is_full()) return;
    const uint64_t end = access.address + access.size;
    for (uint64_t at = access.address & ~uint64_t{7}; at < end; at += 8) {
      const uint64_t first = at < access.address ? access.address - at : 0;
      const uint64_t last = end - at < 8 ? end - at : 8;
      const auto bytes = static_cast<uint8_t>((0xff << first) & (0xff >> (8 - last)));
      touch(thread, at >> 3, bytes, access, tell);
    }
  }

  // Nobody has accessed these bytes: they were allocated or freed.
  void forget(uint64_t address, uint64_t size);

 private:
  struct Thread {
    Clock now;       // what happens before its next step; its own time included
    Clock fenced;    // at its last release fence
    Clock unfenced;  // what its relaxed loads saw, until an acquire fence
    Time born = 1;   // its own time when it began: the slot may have been another's
    bool ended = false;
  };

  Time time_of(ThreadId thread) const { return clocks_.time(threads_[thread].now, thread); }
  void tick(ThreadId thread) { clocks_.set(threads_[thread].now, thread, time_of(thread) + 1); }
  void acquire(ThreadId thread, uint64_t object, Role role);
  void release(ThreadId thread, uint64_t object, Role role);
  void acquire_loaded(ThreadId thread, const Clock& released, MemoryOrder order);
  void lock_for_writing(ThreadId thread, uint64_t object);
  void unlock_rwlock(ThreadId thread, uint64_t object);
  Sync* sync(uint64_t object, Role role);
  bool is_gone(const Record& record) const {
    return threads_[record.slot].ended || record.time < threads_[record.slot].born;
  }

  template <typename F>
  void touch(ThreadId thread, uint64_t granule, uint8_t bytes, const Access& access, F&& tell) {
    const Clock& now = threads_[thread].now;
    Record fresh{access.pc,    clocks_.time(now, thread), static_cast<uint16_t>(thread), bytes, access.write,
                 access.atomic};
    Cell& cell = shadow_.cell(granule);
    for (Record& old : cell.records) {
      if (old.time == 0) continue;
      const bool ordered = old.time <= clocks_.time(now, old.slot);
      if (!ordered && conflict(old, fresh) && tell(Race{old, granule, is_gone(old)})) continue;
      if (ordered && covers(fresh, old)) old.time = 0;
    }
    shadow_.room(cell) = fresh;
  }

  Clocks clocks_;
  Shadow shadow_;
  SyncTable syncs_;
  bool syncs_full_ = false;
  Thread threads_[kMaxThreads];
};

constexpr bool acquires(MemoryOrder order) { return order != MemoryOrder::kRelaxed && order != MemoryOrder::kRelease; }
constexpr bool releases(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease || order == MemoryOrder::kSequential;
}

}  // namespace snarl::detect
