#include "runtime/mutex_truth.h"

#include "runtime/engine.h"
#include "runtime/hook.h"

namespace snarl {
namespace {

// Bits of __kind. The layout is part of glibc's ABI: static initialisers compile it into programs.
constexpr int kTypeMask = 3;

}  // namespace

MutexKind kind_of(const pthread_mutex_t* mutex) {
  switch (mutex->__data.__kind & kTypeMask) {
    case PTHREAD_MUTEX_RECURSIVE_NP: return MutexKind::kRecursive;
    case PTHREAD_MUTEX_ERRORCHECK_NP: return MutexKind::kErrorCheck;
    default: return MutexKind::kNormal;
  }
}

void reconcile(const pthread_mutex_t* mutex) {
  Model& model = engine::conductor().model();
  const bool locked = mutex->__data.__lock != 0;
  const bool known = model.owner(address_of(mutex)) != kNoThread;
  if (locked == known) return;
  if (known) return model.forget_mutex(address_of(mutex));
  if (const Thread* owner = thread_with_tid(mutex->__data.__owner)) model.adopt_mutex(address_of(mutex), owner->id);
}

}  // namespace snarl
