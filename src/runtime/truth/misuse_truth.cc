#include "runtime/truth/misuse_truth.h"

#include <cstring>

namespace snarl::runtime {
namespace {

// All of these layouts are part of glibc's ABI: static initialisers compile them into programs.
constexpr int kDestroyedMutex = -1;                     // __kind
constexpr unsigned kDestroyedCondvar = 4;               // bit of __wrefs
constexpr int kTypeBits = 3, kElisionBits = 256 | 512;  // of __kind: what a plain mutex may have
constexpr unsigned kWriteLocked = 2, kReaderShift = 3;  // of __readers
constexpr int kUnlockedSpin = 1;                        // glibc's value on x86

constexpr uint64_t kMark = 0x64726f7965642121;  // no pointer, no count
constexpr uint64_t kFreedMark = 0x6672656564212121;
constexpr size_t kSpareAt = 24;  // sem_t and pthread_barrier_t: 32 bytes, of which glibc uses 16 and 20

bool holds(const void* at, uint64_t mark) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value == mark;
}

bool has_mark(const void* at) { return holds(at, kMark); }

void put_mark(void* at) { memcpy(at, &kMark, sizeof kMark); }

const void* spare(const void* object) { return static_cast<const char*>(object) + kSpareAt; }
void* spare(void* object) { return static_cast<char*>(object) + kSpareAt; }

bool is_plain(const pthread_mutex_t* mutex) { return (mutex->__data.__kind & ~(kTypeBits | kElisionBits)) == 0; }

const void* object_at(const Misuse& misuse) { return reinterpret_cast<const void*>(misuse.object); }

bool bears_mark(const Misuse& misuse) {
  const void* object = object_at(misuse);
  switch (object_of(misuse.op)) {
    case ObjectKind::kMutex: return is_destroyed(static_cast<const pthread_mutex_t*>(object));
    case ObjectKind::kCondition: return is_destroyed(static_cast<const pthread_cond_t*>(object));
    case ObjectKind::kRwlock: return is_destroyed(static_cast<const pthread_rwlock_t*>(object));
    case ObjectKind::kSemaphore: return is_destroyed(static_cast<const sem_t*>(object));
    case ObjectKind::kBarrier: return is_destroyed(static_cast<const pthread_barrier_t*>(object));
    default: return false;
  }
}

// Does the mutex say that somebody else holds it, or nobody?
bool is_not_ours(const pthread_mutex_t* mutex, int tid, bool anybodys) {
  if (!is_plain(mutex)) return false;  // robust and priority-inheriting ones check for themselves
  if (mutex->__data.__lock == 0) return !anybodys;
  return anybodys && mutex->__data.__owner != 0 && mutex->__data.__owner != tid;
}

bool is_wrong_unlock(const Misuse& misuse, int tid) {
  const bool anybodys = misuse.kind == MisuseKind::kUnlockNotOwner;
  if (misuse.shape == LockShape::kOwn) return false;
  if (misuse.op == OpKind::kRwUnlock)
    return is_locked(static_cast<const pthread_rwlock_t*>(object_at(misuse))) == anybodys;
  if (misuse.shape == LockShape::kSpin)
    return (*static_cast<const int*>(object_at(misuse)) != kUnlockedSpin) == anybodys;
  if (misuse.shape == LockShape::kStream) return true;
  return is_not_ours(static_cast<const pthread_mutex_t*>(object_at(misuse)), tid, anybodys);
}

bool says_locked(const Misuse& misuse) {
  if (misuse.shape == LockShape::kOwn) return false;
  if (misuse.op == OpKind::kRwDestroy) return is_locked(static_cast<const pthread_rwlock_t*>(object_at(misuse)));
  if (misuse.shape == LockShape::kSpin) return *static_cast<const int*>(object_at(misuse)) != kUnlockedSpin;
  return static_cast<const pthread_mutex_t*>(object_at(misuse))->__data.__lock != 0;
}

}  // namespace

bool is_destroyed(const pthread_mutex_t* mutex) { return mutex->__data.__kind == kDestroyedMutex; }
bool is_destroyed(const pthread_cond_t* condvar) { return (condvar->__data.__wrefs & kDestroyedCondvar) != 0; }
bool is_destroyed(const pthread_rwlock_t* lock) { return has_mark(&lock->__data.__pad2); }
bool is_destroyed(const sem_t* semaphore) { return has_mark(spare(semaphore)); }
bool is_destroyed(const pthread_barrier_t* barrier) { return has_mark(spare(barrier)); }

void mark_destroyed(pthread_rwlock_t* lock) { put_mark(&lock->__data.__pad2); }
void mark_destroyed(sem_t* semaphore) { put_mark(spare(semaphore)); }
void mark_destroyed(pthread_barrier_t* barrier) { put_mark(spare(barrier)); }

void unmark(sem_t* semaphore) { memset(spare(semaphore), 0, sizeof kMark); }
void unmark(pthread_barrier_t* barrier) { memset(spare(barrier), 0, sizeof kMark); }

void mark_freed(uint64_t object) { memcpy(reinterpret_cast<char*>(object) + kSpareAt, &kFreedMark, sizeof kFreedMark); }
bool is_freed(const void* object) { return holds(spare(object), kFreedMark); }

bool is_locked(const pthread_rwlock_t* lock) {
  const unsigned readers = lock->__data.__readers;
  return (readers & kWriteLocked) != 0 || readers >> kReaderShift != 0;
}

bool is_borne_out(const Misuse& misuse, int tid) {
  switch (misuse.kind) {
    case MisuseKind::kUseAfterDestroy: return bears_mark(misuse);
    case MisuseKind::kUseAfterFree: return is_freed(object_at(misuse));
    case MisuseKind::kUnlockNotOwner:
    case MisuseKind::kUnlockNotLocked: return is_wrong_unlock(misuse, tid);
    case MisuseKind::kWaitNotOwner:
      return is_not_ours(static_cast<const pthread_mutex_t*>(object_at(misuse)), tid, misuse.other != kNobody);
    case MisuseKind::kDestroyLocked: return says_locked(misuse);
    default: return true;  // only the model knows
  }
}

}  // namespace snarl::runtime
