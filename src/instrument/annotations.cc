// What programs tell TSan about their own locks, and what else they may call when they are compiled for it.
//
// An annotated lock blocks exactly: the model knows which thread has it, so no thread enters a spin loop that can't
// end. All of them are read-write locks to the model, because one object may be locked either way. The other functions
// have nothing to do with schedules and do nothing.
#include "instrument/hooks.h"

namespace snarl::instrument {
namespace {

// sanitizer/tsan_interface.h
constexpr unsigned kReadLock = 1 << 3, kTryLock = 1 << 4, kTryLockFailed = 1 << 5, kRecursive = 1 << 6 | 1 << 7;

SNARL_OWN void lock(OpKind kind, uint64_t pc, const void* object) {
  if (block != nullptr && block->locks) block->lock(what_of(kind), pc, reinterpret_cast<uint64_t>(object), 0);
}

OpKind lock_kind(unsigned flags) { return (flags & kReadLock) != 0 ? OpKind::kReadLock : OpKind::kWriteLock; }

}  // namespace

SNARL_TSAN void __tsan_mutex_create(void* object, unsigned) { lock(OpKind::kRwInit, SNARL_TSAN_PC, object); }
SNARL_TSAN void __tsan_mutex_destroy(void* object, unsigned) { lock(OpKind::kRwDestroy, SNARL_TSAN_PC, object); }
SNARL_TSAN void __tsan_mutex_pre_lock(void* object, unsigned flags) {
  if ((flags & (kTryLock | kRecursive)) == 0) lock(lock_kind(flags), SNARL_TSAN_PC, object);
}
// A try that succeeded: the lock is free in the model too; otherwise the program's own lock would not have been free.
SNARL_TSAN void __tsan_mutex_post_lock(void* object, unsigned flags, int) {
  const bool tried = (flags & kTryLock) != 0 && (flags & (kTryLockFailed | kRecursive)) == 0;
  if (tried) lock(lock_kind(flags), SNARL_TSAN_PC, object);
}
SNARL_TSAN int __tsan_mutex_pre_unlock(void*, unsigned) { return 0; }
// Only now can another thread take it.
SNARL_TSAN void __tsan_mutex_post_unlock(void* object, unsigned flags) {
  if ((flags & kRecursive) == 0) lock(OpKind::kRwUnlock, SNARL_TSAN_PC, object);
}
SNARL_TSAN void __tsan_mutex_pre_signal(void*, unsigned) {}
SNARL_TSAN void __tsan_mutex_post_signal(void*, unsigned) {}
SNARL_TSAN void __tsan_mutex_pre_divert(void*, unsigned) {}
SNARL_TSAN void __tsan_mutex_post_divert(void*, unsigned) {}

// The older form of these.
SNARL_TSAN void AnnotateRWLockCreate(const char*, int, void* object) { lock(OpKind::kRwInit, SNARL_TSAN_PC, object); }
SNARL_TSAN void AnnotateRWLockCreateStatic(const char*, int, void* object) {
  lock(OpKind::kRwInit, SNARL_TSAN_PC, object);
}
SNARL_TSAN void AnnotateRWLockDestroy(const char*, int, void* object) {
  lock(OpKind::kRwDestroy, SNARL_TSAN_PC, object);
}
SNARL_TSAN void AnnotateRWLockAcquired(const char*, int, void* object, long writes) {
  lock(writes != 0 ? OpKind::kWriteLock : OpKind::kReadLock, SNARL_TSAN_PC, object);
}
// Called before the lock is given back: a thread that is let in meanwhile spins for a moment.
SNARL_TSAN void AnnotateRWLockReleased(const char*, int, void* object, long) {
  lock(OpKind::kRwUnlock, SNARL_TSAN_PC, object);
}

#define SNARL_NOTHING(name, ...) \
  SNARL_TSAN void name(__VA_ARGS__) {}

SNARL_NOTHING(__tsan_acquire, void*)
SNARL_NOTHING(__tsan_release, void*)
SNARL_NOTHING(__tsan_ignore_thread_begin)
SNARL_NOTHING(__tsan_ignore_thread_end)
SNARL_NOTHING(__tsan_external_register_header, void*, const char*)
SNARL_NOTHING(__tsan_external_assign_tag, void*, void*)
SNARL_NOTHING(__tsan_destroy_fiber, void*)
SNARL_NOTHING(__tsan_switch_to_fiber, void*, unsigned)
SNARL_NOTHING(__tsan_set_fiber_name, void*, const char*)
SNARL_NOTHING(AnnotateHappensBefore, const char*, int, const volatile void*)
SNARL_NOTHING(AnnotateHappensAfter, const char*, int, const volatile void*)
SNARL_NOTHING(AnnotateIgnoreReadsBegin, const char*, int)
SNARL_NOTHING(AnnotateIgnoreReadsEnd, const char*, int)
SNARL_NOTHING(AnnotateIgnoreWritesBegin, const char*, int)
SNARL_NOTHING(AnnotateIgnoreWritesEnd, const char*, int)
SNARL_NOTHING(AnnotateIgnoreSyncBegin, const char*, int)
SNARL_NOTHING(AnnotateIgnoreSyncEnd, const char*, int)
SNARL_NOTHING(AnnotateBenignRace, const char*, int, const volatile void*, const char*)
SNARL_NOTHING(AnnotateBenignRaceSized, const char*, int, const volatile void*, long, const char*)
SNARL_NOTHING(AnnotateNewMemory, const char*, int, const volatile void*, long)
SNARL_NOTHING(AnnotatePublishMemoryRange, const char*, int, const volatile void*, long)
SNARL_NOTHING(AnnotateUnpublishMemoryRange, const char*, int, const volatile void*, long)
SNARL_NOTHING(AnnotateMutexIsUsedAsCondVar, const char*, int, const volatile void*)
SNARL_NOTHING(AnnotateMutexIsNotPHB, const char*, int, const volatile void*)
SNARL_NOTHING(AnnotateCondVarWait, const char*, int, const volatile void*, const volatile void*)
SNARL_NOTHING(AnnotateCondVarSignal, const char*, int, const volatile void*)
SNARL_NOTHING(AnnotateCondVarSignalAll, const char*, int, const volatile void*)
SNARL_NOTHING(AnnotateThreadName, const char*, int, const char*)
SNARL_NOTHING(AnnotateFlushState, const char*, int)
SNARL_NOTHING(AnnotateNoOp, const char*, int, const volatile void*)
SNARL_NOTHING(AnnotateEnableRaceDetection, const char*, int, int)

SNARL_TSAN void __tsan_external_read(void* address, void* pc, void*) {
  access(OpKind::kRead, reinterpret_cast<uint64_t>(pc), address, 1);
}
SNARL_TSAN void __tsan_external_write(void* address, void* pc, void*) {
  access(OpKind::kWrite, reinterpret_cast<uint64_t>(pc), address, 1);
}
SNARL_TSAN void* __tsan_external_register_tag(const char*) { return nullptr; }
SNARL_TSAN void* __tsan_get_current_fiber() { return nullptr; }
SNARL_TSAN void* __tsan_create_fiber(unsigned) { return nullptr; }
SNARL_TSAN int RunningOnValgrind() { return 0; }
SNARL_TSAN double ValgrindSlowdown() { return 1; }

}  // namespace snarl::instrument
