#include "runtime/run/cancel.h"

#include <errno.h>

#include "runtime/platform/real.h"
#include "runtime/run/point.h"

namespace snarl::runtime::cancel {

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

}  // namespace snarl::runtime::cancel
