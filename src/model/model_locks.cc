// Mutexes and read-write locks.
#include <cerrno>

#include "model/model.h"

namespace snarl::model {

int Model::perform_mutex(ThreadId t, const Op& op) {
  Object* object = objects_.find_or_make(op.object);
  if (object == nullptr) return ENOMEM;
  int error = 0;
  if (op.kind == OpKind::kLock) error = object->mutex.lock(op.mutex, t, op.pc, op.traits);
  if (op.kind == OpKind::kTryLock) error = object->mutex.trylock(op.mutex, t, op.pc, op.traits);
  if (op.kind == OpKind::kUnlock) error = object->mutex.unlock(op.mutex, t, op.traits);
  note_owner(*object);
  refresh(*object);
  return error;
}

int Model::perform_consistent(const Op& op) {
  Object* object = objects_.find(op.object);
  return object == nullptr ? EINVAL : object->mutex.make_consistent();
}

bool Model::writer_waits(const Object& object, ThreadId but) const {
  bool any = false;
  object.pending.for_each([&](ThreadId t) { any |= t != but && slots_[t].pending.kind == OpKind::kWriteLock; });
  return any;
}

bool Model::read_lock_returns(ThreadId t, const Op& op) {
  const Object* object = objects_.find(op.object);
  return object->rwlock.read_lock_returns(t, op.prefers_writers && writer_waits(*object, t));
}

int Model::perform_rwlock(ThreadId t, const Op& op) {
  Object* object = objects_.find_or_make(op.object);
  if (object == nullptr) return ENOMEM;
  RwLock& lock = object->rwlock;
  const bool held_back = op.prefers_writers && writer_waits(*object, t);
  int error = 0;
  if (op.kind == OpKind::kReadLock) error = lock.read_lock(t, op.pc);
  if (op.kind == OpKind::kTryReadLock) error = lock.try_read_lock(t, op.pc, held_back);
  if (op.kind == OpKind::kWriteLock) error = lock.write_lock(t, op.pc);
  if (op.kind == OpKind::kTryWriteLock) error = lock.try_write_lock(t, op.pc);
  if (op.kind == OpKind::kRwUnlock)
    lock.unlock(t);
  else if (error == 0)
    lock.holders.add(t, slots_[t].ordinal, op.pc);
  refresh(*object);
  return error;
}

void Model::forget_mutex(uint64_t address) {
  Object* object = objects_.find(address);
  if (object == nullptr) return;
  object->mutex.release();
  refresh(*object);
}

void Model::forget_rwlock(uint64_t address) {
  Object* object = objects_.find(address);
  if (object == nullptr) return;
  object->rwlock = RwLock();
  refresh(*object);
}

bool Model::is_rwlock_free(uint64_t address) {
  const Object* object = objects_.find(address);
  return object == nullptr || object->rwlock.is_free();
}

void Model::adopt_mutex(uint64_t address, ThreadId owner) {
  Object* object = objects_.find_or_make(address);
  if (object == nullptr || !object->mutex.is_free()) return;
  object->mutex.owner = owner;
  object->mutex.depth = 1;
  note_owner(*object);
  refresh(*object);
}

void Model::note_owner(Object& object) {
  if (object.mutex.owner < kMaxThreads) object.owner_ordinal = slots_[object.mutex.owner].ordinal;
}

}  // namespace snarl::model
