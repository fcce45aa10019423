#include "runtime/truth/mutex_truth.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>

#include "base/state_marks.h"
#include "runtime/fiber/fibers.h"
#include "runtime/state/hook.h"
#include "runtime/state/state.h"
#include "runtime/truth/freed.h"
#include "runtime/truth/misuse.h"
#include "runtime/truth/misuse_truth.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE bool other_process;
SNARL_PROCESS_STATE bool calls_libc;  // real().pthread_mutex_lock is libc's own

}  // namespace

void note_other_process() { other_process = true; }
bool is_shared(bool attribute) { return attribute && other_process; }

SNARL_RUN_STATE bool writes_mutexes = false;

// Not if somebody else, such as a sanitizer or a profiler, stands between us and libc.
void look_who_locks_mutexes() {
  Dl_info called, libc;
  calls_libc = dladdr(reinterpret_cast<void*>(real().pthread_mutex_lock), &called) != 0 &&
               dladdr(reinterpret_cast<void*>(&gnu_get_libc_version), &libc) != 0 && called.dli_fbase == libc.dli_fbase;
}
void decide_who_writes_mutexes(bool on_fibers) { writes_mutexes = on_fibers && calls_libc; }

void correct_model(const pthread_mutex_t* mutex, bool known) {
  model::Model& model = engine::conductor().model();
  if (known) return model.forget_mutex(address_of(mutex));
  // What it says is worth nothing then; whoever takes it uses freed memory.
  if (is_freed(mutex) || notice_freed(mutex)) return;
  if (const Thread* owner = thread_with_tid(mutex->__data.__owner)) model.adopt_mutex(address_of(mutex), owner->id);
}

uint8_t unusual_traits(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  if ((kind & mutex_bits::kProtectBit) != 0)
    fibers::give_up("the program has mutexes with a priority ceiling, for which libc asks the kernel about OS threads");
  if ((kind & mutex_bits::kRobustBit) != 0) return kRobust | kChecksOwner;
  return (kind & mutex_bits::kInheritBit) != 0 ? kChecksOwner : 0;
}

void put_fiber_into(pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  if (!under_way.on_fibers || current == nullptr || (kind & mutex_bits::kRobustBit) == 0 ||
      (kind & mutex_bits::kInheritBit) == 0)
    return;
  mutex->__data.__lock = (mutex->__data.__lock & ~mutex_bits::kTidMask) | current->tid;
}

Thread* at_unusual_mutex(const pthread_mutex_t* mutex, OpKind kind, uint64_t pc) {
  Thread* self = at_point(pc);
  if (self == nullptr) {
    if (kind == OpKind::kLock) look_at_lock_in_copy(mutex, pc);
    return nullptr;
  }
  if (!is_destroyed(mutex)) return is_shared(true) ? nullptr : self;
  Inside inside(*self);
  note_use_of_destroyed(*self, kind, mutex, pc);
  return nullptr;
}

}  // namespace snarl::runtime
