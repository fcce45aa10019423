// Takes or gives back an ordinary mutex at once, without publishing it first. Inlined into the hooks, which know the
// operation.
#pragma once

#include "model/model.h"

namespace snarl::model {

// The thread never waits, so it is not listed as pending on the object.
[[gnu::always_inline]] inline bool Model::mutex_at_once(OpKind what, MutexKind kind, ThreadId t, uint64_t address,
                                                        uint64_t pc, uint8_t traits) {
  if (watches_ && destroyed_.find(address) != nullptr) return false;
  Object* object = objects_.find_or_make(address);
  if (object == nullptr || object->mutex.health != Mutex::Health::kSound) return false;
  const bool unlocks = what == OpKind::kUnlock;
  if (unlocks ? object->mutex.owner != t || object->mutex.depth != 1 : !object->mutex.is_free()) return false;
  if (unlocks)
    object->mutex.release();
  else
    object->mutex.lock(kind, t, pc, traits);
  object->owner_ordinal = slots_[t].ordinal;
  if (object->has_waiters()) refresh(*object);
  return true;
}

[[gnu::always_inline]] inline bool Model::ordinary_at_once(OpKind what, ThreadId t, uint64_t mutex, uint64_t pc) {
  if (!mutex_at_once(what, MutexKind::kNormal, t, mutex, pc, 0)) return false;
  note_performed(t, Op{.kind = what, .object = mutex, .pc = pc});
  return true;
}

}  // namespace snarl::model
