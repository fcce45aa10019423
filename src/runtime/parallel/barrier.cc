// Barriers: counted in the program's own object, whose fields libc itself does not use while
// nobody waits there for real.
#include <errno.h>

#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime::parallel {
namespace {

// The layout behind pthread_barrier_t, unchanged since glibc 2.25.
struct BarrierObject {
  unsigned in, current_round, count;
  int shared;
  unsigned out;
};

BarrierObject& object_of(pthread_barrier_t* barrier) { return *reinterpret_cast<BarrierObject*>(barrier); }

// True if the round is complete with this thread. Else it is listed and blocked.
bool enter(Thread& self, BarrierObject& barrier, unsigned& round, uint64_t pc) {
  Desk desk(self);
  note(self);
  round = barrier.current_round;
  if (++barrier.in == barrier.count) {
    barrier.in = 0;
    __atomic_store_n(&barrier.current_round, round + 1, __ATOMIC_RELEASE);
    desk.wake_all(&barrier);
    return true;
  }
  publish(member_of(self), Op{.kind = OpKind::kBarrierPass, .object = reinterpret_cast<uint64_t>(&barrier), .pc = pc});
  desk.enlist(&barrier);
  desk.block();
  return false;
}

int wait(pthread_barrier_t* object) {
  Thread* self = me();
  BarrierObject& barrier = object_of(object);
  if (self == nullptr || is_shared(barrier.shared != 0)) return libc().pthread_barrier_wait(object);
  const uint64_t pc = self->caller;
  unsigned round = 0;
  arrive(*self, OpKind::kBarrierWait, object, pc);
  if (enter(*self, barrier, round, pc)) return PTHREAD_BARRIER_SERIAL_THREAD;
  sleep(*self);
  acquire(*self, &barrier,
          [&] { return __atomic_load_n(&barrier.current_round, __ATOMIC_ACQUIRE) == round ? EBUSY : 0; });
  arrive(*self, OpKind::kBarrierPass, object, pc);
  note(*self);
  return 0;
}

int init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kBarrierInit, barrier, self->caller);
    note(*self);
  }
  return libc().pthread_barrier_init(barrier, attributes, count);
}

int destroy(pthread_barrier_t* barrier) {
  if (Thread* self = me()) {
    arrive(*self, OpKind::kBarrierDestroy, barrier, self->caller);
    note(*self);
  }
  return libc().pthread_barrier_destroy(barrier);
}

}  // namespace

void install_barriers(Real& table) {
  table.pthread_barrier_wait = wait;
  table.pthread_barrier_init = init;
  table.pthread_barrier_destroy = destroy;
}

}  // namespace snarl::runtime::parallel
