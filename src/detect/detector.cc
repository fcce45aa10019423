#include "detect/detector.h"

namespace snarl::detect {

Detector::Detector(const Memory& memory) : clocks_(memory.clocks), shadow_(memory.cells), syncs_(memory.syncs) {
  tick(kMainThread);
}

void Detector::created(ThreadId creator, ThreadId child) {
  Thread& thread = threads_[child];
  const Time before = time_of(child);
  clocks_.assign(thread.now, threads_[creator].now);
  clocks_.clear(thread.fenced);
  clocks_.clear(thread.unfenced);
  thread.born = before + 1;
  thread.ended = false;
  clocks_.set(thread.now, child, thread.born);
  tick(creator);
}

void Detector::ended(ThreadId thread) { threads_[thread].ended = true; }

Sync* Detector::sync(uint64_t object, Role role) {
  Sync* found = syncs_.make(object, role);
  if (found == nullptr) syncs_full_ = true;
  return found;
}

void Detector::acquire(ThreadId thread, uint64_t object, Role role) {
  if (const Sync* from = syncs_.find(object, role)) clocks_.join(threads_[thread].now, from->released);
}

// Adds to what others have released: a semaphore has several units, and a lock's last owner has acquired it.
void Detector::release(ThreadId thread, uint64_t object, Role role) {
  Sync* to = sync(object, role);
  if (to == nullptr) return;
  clocks_.join(to->released, threads_[thread].now);
  tick(thread);
}

void Detector::lock_for_writing(ThreadId thread, uint64_t object) {
  acquire(thread, object, Role::kLock);
  acquire(thread, object, Role::kReaders);
  if (Sync* lock = sync(object, Role::kLock)) lock->owner = static_cast<uint16_t>(thread + 1);
}

// Readers do not order one another.
void Detector::unlock_rwlock(ThreadId thread, uint64_t object) {
  Sync* lock = syncs_.find(object, Role::kLock);
  const bool writing = lock != nullptr && lock->owner == thread + 1;
  if (writing) lock->owner = 0;
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
      if (result == 0 && op.thread < kMaxThreads) clocks_.join(threads_[thread].now, threads_[op.thread].now);
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

void Detector::acquire_loaded(ThreadId thread, const Clock& released, MemoryOrder order) {
  Thread& self = threads_[thread];
  clocks_.join(acquires(order) ? self.now : self.unfenced, released);
}

void Detector::load(ThreadId thread, uint64_t address, MemoryOrder order) {
  if (const Sync* from = syncs_.find(address, Role::kAtomic)) acquire_loaded(thread, from->released, order);
}

void Detector::store(ThreadId thread, uint64_t address, MemoryOrder order) {
  Sync* to = sync(address, Role::kAtomic);
  if (to == nullptr) return;
  clocks_.assign(to->released, releases(order) ? threads_[thread].now : threads_[thread].fenced);
  if (releases(order)) tick(thread);
}

void Detector::update(ThreadId thread, uint64_t address, MemoryOrder order) {
  Sync* at = sync(address, Role::kAtomic);
  if (at == nullptr) return;
  acquire_loaded(thread, at->released, order);
  clocks_.join(at->released, releases(order) ? threads_[thread].now : threads_[thread].fenced);
  if (releases(order)) tick(thread);
}

void Detector::fence(ThreadId thread, MemoryOrder order) {
  Thread& self = threads_[thread];
  if (acquires(order)) clocks_.join(self.now, self.unfenced);
  if (!releases(order)) return;
  clocks_.assign(self.fenced, self.now);
  tick(thread);
}

void Detector::forget(uint64_t address, uint64_t size) {
  if (size == 0) return;
  const uint64_t first = address >> 3, last = (address + size - 1) >> 3;
  for (uint64_t granule = first; granule <= last; ++granule) shadow_.forget(granule);
}

}  // namespace snarl::detect
