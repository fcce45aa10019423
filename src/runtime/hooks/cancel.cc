// Cancellation: requests, and what a thread says of itself.
#include "runtime/run/cancel.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/run/point.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {

SNARL_HOOK int pthread_cancel(pthread_t handle) {
  Thread* self = at_point();
  Thread* target = self == nullptr ? nullptr : thread_of(handle);
  if (target == nullptr) return real().pthread_cancel(handle);
  int error = 0;
  {
    Inside inside(*self);
    const Op op{.kind = OpKind::kCancel, .thread = target->id, .object = handle, .pc = SNARL_PC};
    engine::point(*self, op);
    error = real().pthread_cancel(handle);
    engine::point_after(*self, op);
  }
  if (target == self && self->cancel_anywhere && !self->cancel_off) cancel::act(*self);
  return error;
}

SNARL_HOOK void pthread_testcancel() {
  Thread* self = at_point();
  if (self == nullptr) return real().pthread_testcancel();
  Inside inside(*self);
  cancel::point(*self, Op{.kind = OpKind::kTestCancel, .pc = SNARL_PC});
}

SNARL_HOOK int pthread_setcancelstate(int state, int* old) {
  const int error = real().pthread_setcancelstate(state, old);
  if (error == 0 && current != nullptr) current->cancel_off = state == PTHREAD_CANCEL_DISABLE;
  return error;
}

// Asynchronous takes effect at once if a request is there.
SNARL_HOOK int pthread_setcanceltype(int type, int* old) {
  Thread* self = current;
  if (self == nullptr) return real().pthread_setcanceltype(type, old);
  quiet::stop(*self);  // from now on other rules hold
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (old != nullptr) *old = self->cancel_anywhere ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self->cancel_anywhere = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (runs_in_parallel()) {
    if (self->cancel_anywhere) parallel::end_if_asked(*self);
    return 0;
  }
  const bool asked = engine::conductor().model().is_asked_to_end(self->id);
  if (self->cancel_anywhere && asked && !self->cancel_off) cancel::act(*self);
  return 0;
}

}  // namespace snarl::runtime
