// Barriers: nobody ever waits on the real object, which only knows its count.
#include <errno.h>

#include "runtime/run/point.h"
#include "runtime/state/hook.h"
#include "runtime/truth/misuse_truth.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime {
namespace {

// The layout behind pthread_barrier_t, unchanged since glibc 2.25.
struct BarrierObject {
  unsigned in, current_round, count;
  int shared;
  unsigned out;
};

const BarrierObject& object_of(const pthread_barrier_t* barrier) {
  return *reinterpret_cast<const BarrierObject*>(barrier);
}

}  // namespace

SNARL_HOOK int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                    unsigned count) noexcept {
  unmark(barrier);
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_barrier_init(barrier, attributes, count);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kBarrierInit, .object = address_of(barrier), .pc = SNARL_PC});
  return real().pthread_barrier_init(barrier, attributes, count);
}

SNARL_HOOK int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_barrier_destroy(barrier);
  Inside inside(*self);
  engine::point(*self, Op{.kind = OpKind::kBarrierDestroy, .object = address_of(barrier), .pc = SNARL_PC});
  const int error = real().pthread_barrier_destroy(barrier);
  if (error == 0) mark_destroyed(barrier);
  return error;
}

SNARL_HOOK int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  Thread* self = at_point();
  if (self == nullptr || is_shared(object_of(barrier).shared != 0)) return real().pthread_barrier_wait(barrier);
  Inside inside(*self);
  Op op{.kind = OpKind::kBarrierWait, .object = address_of(barrier), .value = object_of(barrier).count, .pc = SNARL_PC};
  const int result = engine::point(*self, op);
  if (result == model::kBarrierSerial) return PTHREAD_BARRIER_SERIAL_THREAD;
  op.kind = OpKind::kBarrierPass;
  engine::point(*self, op);
  return 0;
}

}  // namespace snarl::runtime
