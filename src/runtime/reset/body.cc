#include "runtime/reset/body.h"

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/run/begin.h"
#include "runtime/run/ending.h"
#include "runtime/run/lifecycle.h"
#include "runtime/run/point.h"
#include "runtime/simulated/signals.h"
#include "runtime/simulated/timers.h"
#include "runtime/state/signal_stack.h"
#include "runtime/state/state.h"
#include "runtime/state/thread_end.h"
#include "runtime/trace/stacks.h"
#include "runtime/truth/misuse.h"

namespace snarl::runtime {
namespace {

struct Call {
  const Body& body;
  bool returned = false;
};

void* call_body(void* data) {
  Call& call = *static_cast<Call*>(data);
  call.body.call(call.body.data);
  call.returned = true;
  return nullptr;
}

// As the end of main would be: other threads may still do something before it.
void end_point(Thread& self) {
  engine::point(self, Op{.kind = OpKind::kEndProcess});
  note_held_at_exit(self, 0);
}

bool holds_locks() {
  bool any = false;
  engine::conductor().model().objects().for_each([&any](const model::Object& object) { any |= !object.is_idle(); });
  return any;
}

wire::Left left_by(const Thread& self) {
  if (!engine::conductor().model().is_alone()) return wire::Left::kThreads;
  if (holds_locks()) return wire::Left::kLocks;
  if (self.destructors != nullptr) return wire::Left::kThreadLocals;
  if (timers::any()) return wire::Left::kTimers;
  if ((self.blocked_signals | self.come_signals | self.sent_signals) != 0) return wire::Left::kSignals;
  if (signals::may_come()) return wire::Left::kChildren;
  return wire::Left::kNothing;
}

// So that an overflow of the stack can be told; on fibers all threads have this one.
void give_stack_once(const Thread& self) {
  SNARL_PROCESS_STATE static bool given = false;
  if (!given) give_signal_stack(self);
  given = true;
}

// The main thread is gone, the others go on: the process ends with the last of them.
[[noreturn]] void leave_for_good(Thread& self) {
  run_destructors(self);
  engine::leave(self);
  if (under_way.on_fibers) fibers::leave(self);
  for (;;) raw::call(SYS_exit, 0);
}

}  // namespace

wire::Left run_body(const Body& body) {
  engine::begin_run();
  set_outermost(__builtin_frame_address(0));
  Thread& self = *current;
  give_stack_once(self);
  Call call{body};
  run_to_end(self, call_body, &call);
  if (!call.returned) leave_for_good(self);
  end_point(self);
  const wire::Left left = left_by(self);
  engine::abandon();
  return left;
}

void fail_body(OutcomeKind kind, const char* why) { fail_run(*current, kind, why); }

}  // namespace snarl::runtime
