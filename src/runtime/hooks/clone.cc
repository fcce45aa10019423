// clone, by libc's function and by system call: like fork, if the child has a copy of our memory. If it has our memory
// itself it is a thread that we know nothing of.
#include <linux/sched.h>
#include <stdarg.h>

#include "runtime/fiber/fibers.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/child.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

bool shares_memory(uint64_t flags) { return (flags & CLONE_VM) != 0; }

// vfork's promise: the parent waits until the child is another program or has ended.
bool is_lent(uint64_t flags) { return (flags & CLONE_VFORK) != 0; }

struct Child {
  int (*function)(void*);
  void* argument;
};

int live_uncontrolled(void* data) {
  const Child child = *static_cast<Child*>(data);  // of the copy
  be_uncontrolled();
  return child.function(child.argument);
}

void prepare_copy(uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) return;
  Inside inside(*self);
  fork_point(*self, pc);
}

void note_flags(uint64_t flags, uint64_t pc) {
  if (!shares_memory(flags)) return prepare_copy(pc);
  if (!is_lent(flags)) fibers::give_up("the program makes OS threads by clone, which share its memory");
}

uint64_t flags_of(long number, const long (&arguments)[6]) {
  if (number == SYS_clone) return static_cast<uint64_t>(arguments[0]);
  const auto* how = reinterpret_cast<const clone_args*>(arguments[0]);
  return how == nullptr ? 0 : how->flags;
}

}  // namespace

SNARL_HOOK int clone(int (*function)(void*), void* stack, int flags, void* argument, ...) noexcept {
  va_list list;
  va_start(list, argument);
  void* parent_tid = va_arg(list, void*);
  void* tls = va_arg(list, void*);
  void* child_tid = va_arg(list, void*);
  va_end(list);
  Child child{function, argument};
  const bool copies = current != nullptr && !shares_memory(static_cast<uint64_t>(flags));
  if (current != nullptr) note_flags(static_cast<uint64_t>(flags), SNARL_PC);
  return real().clone(copies ? live_uncontrolled : function, stack, flags, copies ? &child : argument, parent_tid, tls,
                      child_tid);
}

long clone_by_call(long number, const long (&a)[6], uint64_t pc) {
  const uint64_t flags = flags_of(number, a);
  if (current != nullptr) note_flags(flags, pc);
  const long result = raw::call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result == 0 && current != nullptr && !shares_memory(flags)) be_uncontrolled();
  return result;
}

}  // namespace snarl::runtime
