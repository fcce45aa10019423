#include "runtime/mutex_truth.h"

#include "runtime/engine.h"
#include "runtime/hook.h"
#include "runtime/misuse.h"
#include "runtime/misuse_truth.h"

namespace snarl {
namespace {

bool other_process;

}  // namespace

void note_other_process() { other_process = true; }
bool is_shared(bool attribute) { return attribute && other_process; }

void correct_model(const pthread_mutex_t* mutex, bool known) {
  Model& model = engine::conductor().model();
  if (known) return model.forget_mutex(address_of(mutex));
  if (const Thread* owner = thread_with_tid(mutex->__data.__owner)) model.adopt_mutex(address_of(mutex), owner->id);
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

}  // namespace snarl
