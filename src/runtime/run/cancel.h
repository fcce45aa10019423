// Cancellation. The model decides when a request is acted on; libc, which was told of it by the real
// pthread_cancel, then unwinds the stack: cleanup handlers, C++ destructors, up to run_to_end.
//
// libc never learns of the asynchronous type: it would unwind a thread that sleeps at its gate. To
// us it means that every schedule point is a cancellation point.
#pragma once

#include "runtime/state/thread.h"
#include "schedule/operation.h"

namespace snarl::runtime::cancel {

// As engine::point, for an operation that is a cancellation point. Does not return if the thread
// is cancelled; nothing has been performed then.
int point(Thread& self, const Op& op);

// The thread, which the model says is cancelled, ends here. Returns only if libc knows better: it
// is on its way to its end already.
void act(Thread& self);

inline uint8_t traits_of(const Thread& self) { return self.cancel_off ? 0 : kCancellable; }

}  // namespace snarl::runtime::cancel
