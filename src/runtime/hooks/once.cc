// pthread_once, and so std::call_once: who runs the routine is decided by the model; that it
// runs once, and is undone by an exception, is left to libc.
#include "runtime/hooks/once_call.h"
#include "runtime/hooks/primitives.h"
#include "runtime/memory/races.h"
#include "runtime/run/point.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

Thread& thread_of(const SnarlOnce* once) { return *static_cast<Thread*>(once->thread); }

}  // namespace

extern "C" int snarl_once_real(pthread_once_t* control, void (*routine)()) {
  return real().pthread_once(control, routine);
}

// In libc's hands: the program's routine, whose calls are points again.
extern "C" void snarl_once_routine() {
  Thread& self = *current;
  self.inside = 0;  // only serial runs come here
  quiet::go(self);
  self.once_routine();
  quiet::stop(self);
  self.inside = 1;
}

// On return and on an exception alike.
extern "C" void snarl_once_leave(SnarlOnce* once) {
  Thread& self = thread_of(once);
  self.once_routine = once->outer;
  quiet::stop(self);  // an exception comes from the program's code
  self.inside = once->inside;
  engine::conductor().model().finish_once(self.id, address_of(once->control));
  if (races::is_on) races::once_done(self, address_of(once->control));
  quiet::go(self);
}

int run_once(pthread_once_t* control, void (*routine)(), uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return real().pthread_once(control, routine);
  SnarlOnce once{self, control, self->once_routine, self->inside};
  self->inside = 1;
  engine::point(*self, Op{.kind = OpKind::kOnce, .object = address_of(control), .pc = pc});
  self->once_routine = routine;
  return snarl_once(&once);
}

SNARL_HOOK int pthread_once(pthread_once_t* control, void (*routine)()) { return run_once(control, routine, SNARL_PC); }

}  // namespace snarl::runtime
