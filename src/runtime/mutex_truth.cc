#include "runtime/mutex_truth.h"

#include "runtime/engine.h"
#include "runtime/fiber/fibers.h"
#include "runtime/hook.h"
#include "runtime/misuse.h"
#include "runtime/misuse_truth.h"

namespace snarl {
namespace {

// Bits of __kind. The layout is part of glibc's ABI: static initialisers compile it into programs.
constexpr int kTypeMask = 3;
constexpr int kRobustBit = 16;
constexpr int kInheritBit = 32;  // priority inheritance
constexpr int kProtectBit = 64;  // priority ceiling
constexpr int kSharedBit = 128;

// What of __lock says that somebody holds it. A robust or inheriting one holds the owner's tid, and marks
// above it; one with a ceiling has that in its upper bits.
constexpr int kTidMask = 0x3fffffff;
constexpr int kBelowCeiling = 0x7ffff;

bool is_locked(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  return (mutex->__data.__lock & ((kind & kProtectBit) != 0 ? kBelowCeiling : kTidMask)) != 0;
}

bool other_process;

}  // namespace

MutexKind kind_of(const pthread_mutex_t* mutex) {
  switch (mutex->__data.__kind & kTypeMask) {
    case PTHREAD_MUTEX_RECURSIVE_NP: return MutexKind::kRecursive;
    case PTHREAD_MUTEX_ERRORCHECK_NP: return MutexKind::kErrorCheck;
    default: return MutexKind::kNormal;
  }
}

uint8_t traits_of(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  if ((kind & kProtectBit) != 0) fibers::give_up("the program has mutexes with a priority ceiling, for which libc asks the kernel about OS threads");
  if ((kind & kRobustBit) != 0) return kRobust | kChecksOwner;
  return (kind & kInheritBit) != 0 ? kChecksOwner : 0;
}

void note_other_process() { other_process = true; }
bool is_shared(bool attribute) { return attribute && other_process; }

void reconcile(const pthread_mutex_t* mutex) {
  Model& model = engine::conductor().model();
  const bool locked = is_locked(mutex);
  const bool known = model.owner(address_of(mutex)) != kNoThread;
  if (locked == known) return;
  if (known) return model.forget_mutex(address_of(mutex));
  if (const Thread* owner = thread_with_tid(mutex->__data.__owner)) model.adopt_mutex(address_of(mutex), owner->id);
}

void put_fiber_into(pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  if (!fibers::on || current == nullptr || (kind & kRobustBit) == 0 || (kind & kInheritBit) == 0) return;
  mutex->__data.__lock = (mutex->__data.__lock & ~kTidMask) | current->tid;
}

Thread* at_mutex_point(const pthread_mutex_t* mutex, OpKind kind, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) {
    if (kind == OpKind::kLock) look_at_lock_in_copy(mutex, pc);
    return nullptr;
  }
  if ((mutex->__data.__kind & kSharedBit) == 0) return self;
  if (!is_destroyed(mutex)) return is_shared(true) ? nullptr : self;
  Inside inside(*self);
  note_use_of_destroyed(*self, kind, mutex, pc);
  return nullptr;
}

}  // namespace snarl
