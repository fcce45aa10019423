// Spin locks: a thread that can't have one sleeps on a list like any other.
#include <errno.h>

#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"

namespace snarl::runtime::parallel {
namespace {

const void* object_of(pthread_spinlock_t* lock) { return const_cast<const int*>(lock); }

int lock(pthread_spinlock_t* spin) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_spin_lock(spin);
  arrive(*self, OpKind::kLock, object_of(spin), self->caller);
  const int error = acquire(*self, object_of(spin), [=] { return libc().pthread_spin_trylock(spin); });
  note(*self);
  return error;
}

int try_lock(pthread_spinlock_t* spin) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_spin_trylock(spin);
  arrive(*self, OpKind::kTryLock, object_of(spin), self->caller);
  const int error = libc().pthread_spin_trylock(spin);
  note(*self);
  return error;
}

// libc's unlock is a plain store: the look at the list must not come before it.
int unlock(pthread_spinlock_t* spin) {
  Thread* self = me();
  if (self == nullptr) return libc().pthread_spin_unlock(spin);
  const uint64_t pc = self->caller;
  arrive(*self, OpKind::kUnlock, object_of(spin), pc);
  note_giving(*self);
  const int error = libc().pthread_spin_unlock(spin);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  offer(*self, object_of(spin));
  arrive_after(*self, OpKind::kUnlock, object_of(spin), pc);
  return error;
}

int init(pthread_spinlock_t* spin, int shared) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kMutexInit, object_of(spin), self->caller);
    note(*self);
  }
  return libc().pthread_spin_init(spin, shared);
}

int destroy(pthread_spinlock_t* spin) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kMutexDestroy, object_of(spin), self->caller);
    note(*self);
  }
  return libc().pthread_spin_destroy(spin);
}

}  // namespace

void install_spinlocks(Real& table) {
  table.pthread_spin_lock = lock;
  table.pthread_spin_trylock = try_lock;
  table.pthread_spin_unlock = unlock;
  table.pthread_spin_init = init;
  table.pthread_spin_destroy = destroy;
}

}  // namespace snarl::runtime::parallel
