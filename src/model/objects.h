// The synchronisation objects that matter now, found by address.
//
// An object that no thread holds, waits for or is about to use has no state worth keeping, so it has no entry. A
// program with a million mutexes needs as many entries as are in use at one moment, and memory that is freed and reused
// for another object needs no notice. Idle entries are swept out when the table would have to grow.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/storage.h"
#include "base/thread_set.h"
#include "model/barrier.h"
#include "model/met.h"
#include "model/mutex.h"
#include "model/rwlock.h"
#include "model/wait_queue.h"

namespace snarl::model {

struct Object {
  uint64_t address = 0;
  Mutex mutex;
  uint32_t owner_ordinal = 0;  // of the mutex's owner; right even when that thread has ended
  RwLock rwlock;
  WaitQueue queue;  // condition variable, futex
  Barrier barrier;
  uint64_t semaphore = 0;            // its value, known while a thread waits for it
  ThreadId once_runner = kNoThread;  // the thread inside the once routine
  // Threads whose pending operation depends on this object. Of `alike` all can perform theirs, or none can: only the
  // object decides, and in one way. So a thousand threads that wait for a lock are one look.
  ThreadSet pending;  // all others
  ThreadSet alike;
  OpKind alike_as = OpKind::kNone;  // `alike` wait as this operation does
  uint32_t sleepers = 0;            // threads that take this mutex again when they are woken

  bool has_waiters() const { return !pending.empty() || !alike.empty(); }
  bool is_idle() const {
    return mutex.is_idle() && rwlock.is_free() && queue.is_idle() && barrier.is_idle() && once_runner == kNoThread &&
           !has_waiters() && sleepers == 0;
  }
};

class ObjectTable {
 public:
  static constexpr uint32_t kCapacity = 1 << 14;  // objects in use at one moment

  void begin();

  // The entry of that address, made if it does not exist. Valid until the next find_or_make(). Null if more than
  // kCapacity objects are in use.
  Object* find_or_make(uint64_t address) { return is_last(address) ? last_ : search_or_make(address); }
  Object* find(uint64_t address) { return is_last(address) ? last_ : search(address); }

  // All objects that ever had an entry, as far as they are remembered.
  const MetAddresses& met() const { return met_; }

  // Calls f(const Object&) for every entry.
  template <typename F>
  void for_each(F&& f) const {
    for (uint32_t i = 0; i < count_; ++i) f(objects_[i]);
  }
  template <typename F>
  void for_each(F&& f) {
    for (uint32_t i = 0; i < count_; ++i) f(objects_[i]);
  }

 private:
  static constexpr uint32_t kSlots = kCapacity * 2;  // a power of two; at most half full
  static constexpr uint32_t kFirstSweep = 64;

  static uint32_t home(uint64_t address);
  bool is_last(uint64_t address) const { return __builtin_expect(last_ != nullptr && last_->address == address, 1); }
  Object* search(uint64_t address);
  Object* search_or_make(uint64_t address);
  void sweep();
  void insert(uint32_t entry);
  void use_slots(uint32_t count);

  MetAddresses met_;
  Object* last_ = nullptr;  // found last: one point asks for the same object several times
  uint32_t count_ = 0;
  uint32_t sweep_at_ = kFirstSweep;
  uint32_t mask_ = 0;  // slots in use are [0, mask_]: few while there are few objects, so that a sweep is cheap
  uint16_t* slots_ = few_slots_;  // 1 + entry; 0: empty
  uint16_t few_slots_[2 * kFirstSweep];
  Storage<Object, kCapacity> objects_;  // [0, count_) are entries
  Storage<uint16_t, kSlots> many_slots_;
};

}  // namespace snarl::model
