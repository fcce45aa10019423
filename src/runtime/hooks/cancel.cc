// Cancellation: requests, and what a thread says of itself.
#include "runtime/simulated/cancel.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/fiber/fibers.h"
#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/platform/glibc.h"
#include "runtime/run/hook.h"

namespace snarl::runtime {

namespace cancel {

int point(Thread& self, const Op& op) {
  if (__builtin_expect(self.cancel_off, 0)) return engine::point(self, op);
  Op cancellable;
  copy_words(cancellable, op);
  set_small_fields(cancellable, op.after, op.traits | kCancellable, op.thread);
  const int result = engine::point(self, cancellable);
  if (__builtin_expect(result != ECANCELED, 1)) return result;
  act(self);
  return engine::point(self, op);
}

// Our frames have no destructors to run (-fno-exceptions): what they would do is done before.
void act(Thread& self) {
  const uint32_t inside = self.inside;
  self.inside = 0;
  self.cancel_off = true;
  quiet::go(self);
  real().pthread_testcancel();
  quiet::stop(self);
  self.inside = inside;
}

void end(Thread& self) {
  self.cancel_off = true;
  if (__builtin_expect(fibers::on && glibc::set_uncancellable(self.handle, true), 1)) return;
  real().pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
}

}  // namespace cancel

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
  if (parallel::is_on()) {
    if (self->cancel_anywhere) parallel::end_if_asked(*self);
    return 0;
  }
  const bool asked = engine::conductor().model().is_asked_to_end(self->id);
  if (self->cancel_anywhere && asked && !self->cancel_off) cancel::act(*self);
  return 0;
}

}  // namespace snarl::runtime
