// Happens-before of one serial run, and the accesses that nothing orders.
//
// Vector clocks with epochs (FastTrack, PLDI'09), atomics by their memory order (C++20, [intro.races]): a release
// sequence is continued by read-modify-writes of any thread and order and ended by any other store; a relaxed
// operation takes part by the fences around it. Told of each access and operation in the order in which they were
// performed, by whoever has the turn.
//
// Beside this happens-before it keeps a second one, in which every atomic operation counts as sequentially consistent:
// what came after what by any atomic variable. A pair that only the second one orders is ordered by operations whose
// memory order is too weak, and the detector knows which. Makes no call and allocates nothing: the caller owns the
// memory, which is zeroed. When that is used up the detector says is_full() and reports nothing more.
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

// A load that read what a store of another thread wrote, by memory orders too weak to order the two threads.
struct WeakLink {
  uint64_t address = 0;  // 0: none
  uint64_t load_pc = 0, store_pc = 0;
  MemoryOrder load = MemoryOrder::kNone, store = MemoryOrder::kNone;
  uint16_t storer = 0;  // the slot
  Time time = 0;        // of the storer, at its store
};

// Somebody's earlier access that nothing orders before the one that was told.
struct Race {
  Record earlier;
  uint64_t granule = 0;
  const Record* kept = nullptr;  // where the earlier one is kept
  bool freed = false;            // it is none: the memory was freed then, and nobody has allocated it since
  bool gone = false;             // its thread has ended
  bool weak = false;             // it came before, by atomic operations whose memory order is too weak (link_of)
};

class Detector {
 public:
  Detector() = default;
  explicit Detector(const Memory& memory);

  // A run begins, with memory that is empty again: only what was used is written anew.
  void restart(const Memory& memory);

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
  void load(ThreadId thread, uint64_t address, MemoryOrder order, uint64_t pc = 0);
  void store(ThreadId thread, uint64_t address, MemoryOrder order, uint64_t pc = 0);
  void update(ThreadId thread, uint64_t address, MemoryOrder order, uint64_t pc = 0);
  void fence(ThreadId thread, MemoryOrder order);

  // How far `other` had come, as far as `thread` knows; of the thread itself, where it is.
  Time known(ThreadId thread, ThreadId other) const { return clocks_.time(threads_[thread].now, other); }

  // `tell` is called with each Race; what it answers false to was none. `keep` is called with each record of the
  // access.
  template <typename F, typename G>
  void access(ThreadId thread, const Access& access, F&& tell, G&& keep) {
    if (access.size == 0 || is_full()) return;
    const uint64_t end = access.address + access.size;
    for (uint64_t at = access.address & ~uint64_t{7}; at < end; at += 8) {
      const uint64_t first = at < access.address ? access.address - at : 0;
      const uint64_t last = end - at < 8 ? end - at : 8;
      const auto bytes = static_cast<uint8_t>((0xff << first) & (0xff >> (8 - last)));
      touch(thread, at >> 3, bytes, access, tell, keep);
    }
  }

  // Of a weak race of that thread: by what the one came before the other. Null: by more than the last few loads show.
  const WeakLink* link_of(ThreadId thread, const Race& race) const;

  // Nobody has accessed these bytes: they were allocated.
  void forget(uint64_t address, uint64_t size);

  // They were freed at that place: each access is told of as a Race, until they are allocated again.
  template <typename G>
  void free(ThreadId thread, uint64_t address, uint64_t size, uint64_t pc, G&& keep) {
    const Record record{.pc = pc,
                        .time = time_of(thread),
                        .slot = static_cast<uint16_t>(thread),
                        .bytes = 0xff,
                        .write = true,
                        .freed = true};
    for (uint64_t at = (address + 7) >> 3; at < (address + size) >> 3; ++at) {
      shadow_.forget(at);
      Record& kept = shadow_.cell(at).records[0];
      kept = record;
      keep(static_cast<const Record&>(kept));
    }
  }

  // Where the memory at that address was freed; null: it was not, or it was allocated again.
  const Record* freed_at(uint64_t address) const {
    const Record* record = shadow_.first_of(address >> 3);
    return record != nullptr && record->time != 0 && record->freed ? record : nullptr;
  }

 private:
  static constexpr int kLinks = 4;

  struct Thread {
    Clock now;       // what happens before its next step; its own time included
    Clock fenced;    // at its last release fence
    Clock unfenced;  // what its relaxed loads saw, until an acquire fence
    Clock observed;  // as `now`, as if every atomic operation were sequentially consistent
    Time born = 1;   // its own time when it began: the slot may have been another's
    bool ended = false;
    uint8_t next_link = 0;
    WeakLink links[kLinks];  // the last ones
  };

  Time time_of(ThreadId thread) const { return clocks_.time(threads_[thread].now, thread); }
  void tick(ThreadId thread);
  void learn(ThreadId thread, const Clock& now, const Clock& observed);
  Race race_of(ThreadId thread, const Record& earlier, uint64_t granule) const;
  const WeakLink* link_to(ThreadId thread, const Record& earlier) const;
  void acquire(ThreadId thread, uint64_t object, Role role);
  void release(ThreadId thread, uint64_t object, Role role);
  void acquire_loaded(ThreadId thread, const Sync& from, MemoryOrder order, uint64_t pc);
  void note_store(ThreadId thread, Sync& to, MemoryOrder order, uint64_t pc);
  void lock_for_writing(ThreadId thread, uint64_t object);
  void unlock_rwlock(ThreadId thread, uint64_t object);
  Sync* sync(uint64_t object, Role role);
  bool is_gone(const Record& record) const {
    return threads_[record.slot].ended || record.time < threads_[record.slot].born;
  }

  template <typename F, typename G>
  void touch(ThreadId thread, uint64_t granule, uint8_t bytes, const Access& access, F&& tell, G&& keep) {
    const Clock& now = threads_[thread].now;
    Record fresh{access.pc,    clocks_.time(now, thread), static_cast<uint16_t>(thread), bytes, access.write,
                 access.atomic};
    Cell& cell = shadow_.cell(granule);
    for (Record& old : cell.records) {
      if (old.time == 0) continue;
      if (__builtin_expect(old.freed, 0)) {
        if ((old.bytes & bytes) != 0) tell(race_of(thread, old, granule));
        continue;
      }
      const bool ordered = old.time <= clocks_.time(now, old.slot);
      if (!ordered && conflict(old, fresh) && tell(race_of(thread, old, granule))) continue;
      if (ordered && covers(fresh, old)) old.time = 0;
    }
    Record& kept = shadow_.room(cell);
    kept = fresh;
    keep(static_cast<const Record&>(kept));
  }

  Clocks clocks_;
  Shadow shadow_;
  SyncTable syncs_;
  bool syncs_full_ = false;
  ThreadId most_ = 0;  // the highest slot so far
  Thread threads_[kMaxThreads];
};

constexpr bool acquires(MemoryOrder order) { return order != MemoryOrder::kRelaxed && order != MemoryOrder::kRelease; }
constexpr bool releases(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease || order == MemoryOrder::kSequential;
}

}  // namespace snarl::detect
