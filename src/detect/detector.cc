#include "detect/detector.h"

namespace snarl::detect {

Detector::Detector(const Memory& memory) : clocks_(memory.clocks), shadow_(memory.cells), syncs_(memory.syncs) {
  tick(kMainThread);
}

void Detector::restart(const Memory& memory) {
  clocks_ = Clocks(memory.clocks);
  shadow_ = Shadow(memory.cells);
  syncs_ = SyncTable(memory.syncs);
  syncs_full_ = false;
  for (int t = 0; t <= most_; ++t) threads_[t] = Thread();
  most_ = 0;
  tick(kMainThread);
}

void Detector::created(ThreadId creator, ThreadId child) {
  Thread& thread = threads_[child];
  const Time before = time_of(child);
  clocks_.assign(thread.now, threads_[creator].now);
  clocks_.clear(thread.fenced);
  clocks_.clear(thread.unfenced);
  clocks_.assign(thread.observed, threads_[creator].observed);
  for (WeakLink& link : thread.links) link = {};
  if (child > most_) most_ = child;
  thread.born = before + 1;
  thread.ended = false;
  clocks_.set(thread.now, child, thread.born);
  clocks_.set(thread.observed, child, thread.born);
  tick(creator);
}

// A thread's own time is the same in both.
void Detector::tick(ThreadId thread) {
  const Time time = time_of(thread) + 1;
  clocks_.set(threads_[thread].now, thread, time);
  clocks_.set(threads_[thread].observed, thread, time);
}

void Detector::learn(ThreadId thread, const Clock& now, const Clock& observed) {
  clocks_.join(threads_[thread].now, now);
  clocks_.join(threads_[thread].observed, observed);
}

void Detector::ended(ThreadId thread) { threads_[thread].ended = true; }

Sync* Detector::sync(uint64_t object, Role role) {
  Sync* found = syncs_.make(object, role);
  if (found == nullptr) syncs_full_ = true;
  return found;
}

void Detector::acquire(ThreadId thread, uint64_t object, Role role) {
  if (const Sync* from = syncs_.find(object, role)) learn(thread, from->released, from->observed);
}

// Adds to what others have released: a semaphore has several units, and a lock's last owner has acquired it.
void Detector::release(ThreadId thread, uint64_t object, Role role) {
  Sync* to = sync(object, role);
  if (to == nullptr) return;
  clocks_.join(to->released, threads_[thread].now);
  clocks_.join(to->observed, threads_[thread].observed);
  tick(thread);
}

void Detector::lock_for_writing(ThreadId thread, uint64_t object) {
  acquire(thread, object, Role::kLock);
  acquire(thread, object, Role::kReaders);
  if (Sync* lock = sync(object, Role::kLock)) lock->slot = static_cast<uint16_t>(thread + 1);
}

// Readers do not order one another.
void Detector::unlock_rwlock(ThreadId thread, uint64_t object) {
  Sync* lock = syncs_.find(object, Role::kLock);
  const bool writing = lock != nullptr && lock->slot == thread + 1;
  if (writing) lock->slot = 0;
  release(thread, object, writing ? Role::kLock : Role::kReaders);
}

// A signal of a condition variable orders nothing by itself: a wait may end without one. Calls to the kernel that may
// wait order all of them: who reads from a pipe what was written to it is not told apart.
void Detector::performed(ThreadId thread, const Op& op, int result) {
  if (is_full()) return;
  switch (op.kind) {
    case OpKind::kTryLock:
    case OpKind::kSemTryWait:
    case OpKind::kTryJoin:
    case OpKind::kTryReadLock:
    case OpKind::kTryWriteLock:
      if (result != 0) return;
      break;
    default: break;
  }
  switch (op.kind) {
    case OpKind::kJoin:
    case OpKind::kTryJoin:
      if (result == 0 && op.thread < kMaxThreads) learn(thread, threads_[op.thread].now, threads_[op.thread].observed);
      return;
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kBarrierPass:
    case OpKind::kOnce:
    case OpKind::kConsistent: return acquire(thread, op.object, Role::kLock);
    case OpKind::kUnlock:
    case OpKind::kSemPost: return release(thread, op.object, Role::kLock);
    case OpKind::kWait: return release(thread, op.second, Role::kLock);
    case OpKind::kReacquire: return acquire(thread, op.second, Role::kLock);
    case OpKind::kReadLock:
    case OpKind::kTryReadLock: return acquire(thread, op.object, Role::kLock);
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock: return lock_for_writing(thread, op.object);
    case OpKind::kRwUnlock: return unlock_rwlock(thread, op.object);
    case OpKind::kBarrierWait:  // the last one does not come to the second half
      release(thread, op.object, Role::kLock);
      return acquire(thread, op.object, Role::kLock);
    case OpKind::kFutexWake:
    case OpKind::kFutexRequeue: return release(thread, op.object, Role::kFutex);
    case OpKind::kFutexWoken: return acquire(thread, op.object, Role::kFutex);
    case OpKind::kKill:
      if (op.thread < kMaxThreads) release(thread, op.thread, Role::kSignal);
      return;
    case OpKind::kHandler: return acquire(thread, thread, Role::kSignal);
    case OpKind::kIo: acquire(thread, 0, Role::kOutside); return release(thread, 0, Role::kOutside);
    default: return;
  }
}

// If the thread has read what another one wrote, but does not know then what that one knew, the orders were too weak.
void Detector::acquire_loaded(ThreadId thread, const Sync& from, MemoryOrder order, uint64_t pc) {
  Thread& self = threads_[thread];
  clocks_.join(acquires(order) ? self.now : self.unfenced, from.released);
  clocks_.join(self.observed, from.observed);
  if (acquires(order) && releases(from.order)) return;
  if (from.slot == thread || clocks_.covers(self.now, from.observed)) return;
  self.links[self.next_link++ % kLinks] = {from.address, pc, from.pc, order, from.order, from.slot, from.time};
}

// All stores end a thread's time: what follows is not seen by who reads it.
void Detector::note_store(ThreadId thread, Sync& to, MemoryOrder order, uint64_t pc) {
  to.order = order;
  to.pc = pc;
  to.slot = static_cast<uint16_t>(thread);
  to.time = time_of(thread);
  tick(thread);
}

void Detector::load(ThreadId thread, uint64_t address, MemoryOrder order, uint64_t pc) {
  if (const Sync* from = syncs_.find(address, Role::kAtomic)) acquire_loaded(thread, *from, order, pc);
}

void Detector::store(ThreadId thread, uint64_t address, MemoryOrder order, uint64_t pc) {
  Sync* to = sync(address, Role::kAtomic);
  if (to == nullptr) return;
  const Thread& self = threads_[thread];
  clocks_.assign(to->released, releases(order) ? self.now : self.fenced);
  clocks_.assign(to->observed, self.observed);
  note_store(thread, *to, order, pc);
}

void Detector::update(ThreadId thread, uint64_t address, MemoryOrder order, uint64_t pc) {
  Sync* at = sync(address, Role::kAtomic);
  if (at == nullptr) return;
  acquire_loaded(thread, *at, order, pc);
  const Thread& self = threads_[thread];
  clocks_.join(at->released, releases(order) ? self.now : self.fenced);
  clocks_.join(at->observed, self.observed);
  note_store(thread, *at, order, pc);
}

void Detector::fence(ThreadId thread, MemoryOrder order) {
  Thread& self = threads_[thread];
  if (acquires(order)) clocks_.join(self.now, self.unfenced);
  if (!releases(order)) return;
  clocks_.assign(self.fenced, self.now);
  tick(thread);
}

// The thread's last load that read what the access's thread stored after it.
const WeakLink* Detector::link_to(ThreadId thread, const Record& earlier) const {
  const Thread& self = threads_[thread];
  for (int back = 1; back <= kLinks; ++back) {
    const WeakLink& link = self.links[static_cast<uint8_t>(self.next_link - back) % kLinks];
    if (link.address != 0 && link.storer == earlier.slot && link.time >= earlier.time) return &link;
  }
  return nullptr;
}

Race Detector::race_of(ThreadId thread, const Record& earlier, uint64_t granule) const {
  const bool weak = earlier.time <= clocks_.time(threads_[thread].observed, earlier.slot);
  return {.earlier = earlier,
          .granule = granule,
          .kept = &earlier,
          .freed = earlier.freed,
          .gone = is_gone(earlier),
          .weak = weak};
}

const WeakLink* Detector::link_of(ThreadId thread, const Race& race) const {
  const WeakLink* link = link_to(thread, race.earlier);
  for (ThreadId other = 0; other <= most_ && link == nullptr; ++other) link = link_to(other, race.earlier);
  return link;
}

void Detector::forget(uint64_t address, uint64_t size) {
  if (size == 0) return;
  const uint64_t first = address >> 3, last = (address + size - 1) >> 3;
  if (last - first >= shadow_.size()) return shadow_.forget(first, last);
  for (uint64_t granule = first; granule <= last; ++granule) shadow_.forget(granule);
}

}  // namespace snarl::detect
