#include "model/model.h"

#include <cerrno>

#include "base/check.h"
#include "base/hash.h"

namespace snarl {
namespace {

// The objects that an operation depends on: it must be looked at again when they change.
bool uses_object(OpKind kind) {
  return kind == OpKind::kLock || kind == OpKind::kReacquire || kind == OpKind::kOnce;
}

}  // namespace

void Model::begin() {
  live_.clear();
  occupied_.clear();
  enabled_.clear();
  gained_.clear();
  created_ = 1;
  clock_ = 0;
  tokens_.begin();
  objects_.begin();
  threads_[kMainThread] = Thread();
  pending_[kMainThread] = Op();
  names_[kMainThread] = kMainName;
  ordinals_[kMainThread] = 0;
  live_.add(kMainThread);
  occupied_.add(kMainThread);
  enabled_.add(kMainThread);
  live_count_ = 1;
}

ThreadId Model::unused_slot() const {
  if (occupied_.size() == kMaxThreads) return kNoThread;
  ThreadId slot = 0;
  while (occupied_.has(slot)) ++slot;
  return slot;
}

ThreadId Model::spawn(ThreadId parent, bool detached, uint64_t create_pc) {
  const ThreadId t = unused_slot();
  if (t == kNoThread) return t;
  threads_[t] = Thread();
  threads_[t].detached = detached;
  threads_[t].creator = ordinals_[parent];
  threads_[t].create_pc = create_pc;
  names_[t] = name_of_child(names_[parent], threads_[parent].children++);
  ordinals_[t] = created_++;
  pending_[t] = Op{.kind = OpKind::kStart};
  live_.add(t);
  occupied_.add(t);
  ++live_count_;
  set_enabled(t, true);
  return t;
}

void Model::unspawn(ThreadId parent, ThreadId child) {
  live_.remove(child);
  occupied_.remove(child);
  enabled_.remove(child);
  gained_.remove(child);
  --live_count_;
  --created_;
  --threads_[parent].children;
}

bool Model::publish(ThreadId t, const Op& op) {
  pending_[t] = op;
  if (uses_object(op.kind) && !link(t, op.object)) return false;
  if (op.kind == OpKind::kReacquire && !link(t, op.second)) return false;
  if (op.kind == OpKind::kJoin && op.thread != kNoThread && join_result(t) == 0) threads_[op.thread].joiner = t;
  enabled_.put(t, can_run(t));  // not `gained`: it is this thread's own news
  return true;
}

bool Model::link(ThreadId t, uint64_t address) {
  Object* object = objects_.find_or_make(address);
  if (object == nullptr) return false;
  object->pending.add(t);
  return true;
}

void Model::unlink(ThreadId t, uint64_t address) {
  Object* object = objects_.find(address);
  SNARL_CHECK(object != nullptr);
  object->pending.remove(t);
}

bool Model::can_run(ThreadId t) {
  const Op& op = pending_[t];
  switch (op.kind) {
    case OpKind::kLock: return objects_.find(op.object)->mutex.lock_returns(op.mutex, t);
    case OpKind::kOnce: return objects_.find(op.object)->once_runner == kNoThread;
    case OpKind::kJoin: return join_returns(t);
    case OpKind::kReacquire:
      return objects_.find(op.object)->condvar.may_wake(tokens_, threads_[t].waits_since) &&
             objects_.find(op.second)->mutex.lock_returns(op.mutex, t);
    default: return true;
  }
}

void Model::set_enabled(ThreadId t, bool enabled) {
  if (enabled == enabled_.has(t)) return;
  enabled_.put(t, enabled);
  gained_.put(t, enabled);
}

void Model::refresh(const Object& object) {
  object.pending.for_each([this](ThreadId t) { set_enabled(t, can_run(t)); });
}

int Model::perform(ThreadId t) {
  const Op op = pending_[t];
  SNARL_CHECK(enabled_.has(t));
  if (uses_object(op.kind)) unlink(t, op.object);
  if (op.kind == OpKind::kReacquire) unlink(t, op.second);
  switch (op.kind) {
    case OpKind::kExit: return perform_exit(t);
    case OpKind::kJoin: return perform_join(t);
    case OpKind::kDetach: return perform_detach(t);
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock: return perform_mutex(t, op);
    case OpKind::kWait: return perform_wait(t, op);
    case OpKind::kReacquire: return perform_reacquire(t, op);
    case OpKind::kSignal:
    case OpKind::kBroadcast: return perform_wake(op);
    case OpKind::kOnce: return perform_once(t, op);
    case OpKind::kMutexDestroy:
      if (owner(op.object) != kNoThread) return EBUSY;
      [[fallthrough]];
    case OpKind::kMutexInit: forget_mutex(op.object); return 0;
    default: return 0;
  }
}

int Model::perform_exit(ThreadId t) {
  live_.remove(t);
  enabled_.remove(t);
  --live_count_;
  threads_[t].ended = true;
  orphan_mutexes(t);
  if (threads_[t].detached)
    occupied_.remove(t);
  else if (threads_[t].joiner != kNoThread)
    set_enabled(threads_[t].joiner, true);
  return 0;
}

// What the thread still holds stays held for good, but its slot may soon name another thread.
void Model::orphan_mutexes(ThreadId t) {
  objects_.for_each([t](Object& object) {
    if (object.mutex.owner == t) object.mutex.owner = kGoneThread;
  });
}

// What joining would return, 0 meaning that it waits for the end of the thread and succeeds.
int Model::join_result(ThreadId t) const {
  const ThreadId target = pending_[t].thread;
  if (target == kNoThread || !occupied_.has(target)) return ESRCH;
  if (threads_[target].detached) return EINVAL;
  if (target == t || threads_[t].joiner == target) return EDEADLK;  // glibc sees a circle of two, no longer one
  const ThreadId joiner = threads_[target].joiner;
  return joiner == kNoThread || joiner == t ? 0 : EINVAL;
}

bool Model::join_returns(ThreadId t) const { return join_result(t) != 0 || threads_[pending_[t].thread].ended; }

int Model::perform_join(ThreadId t) {
  const int error = join_result(t);
  if (error == 0) occupied_.remove(pending_[t].thread);
  return error;
}

int Model::perform_detach(ThreadId t) {
  const ThreadId target = pending_[t].thread;
  if (target == kNoThread || !occupied_.has(target)) return ESRCH;
  if (threads_[target].detached) return EINVAL;
  if (threads_[target].joiner != kNoThread) return 0;  // as glibc: the one who joins it has it
  threads_[target].detached = true;
  if (threads_[target].ended) occupied_.remove(target);
  return 0;
}

int Model::perform_mutex(ThreadId t, const Op& op) {
  Object* object = objects_.find_or_make(op.object);
  if (object == nullptr) return ENOMEM;
  int error = 0;
  if (op.kind == OpKind::kLock) error = object->mutex.lock(op.mutex, t, op.pc);
  if (op.kind == OpKind::kTryLock) error = object->mutex.trylock(op.mutex, t, op.pc);
  if (op.kind == OpKind::kUnlock) error = object->mutex.unlock(op.mutex, t);
  note_owner(*object);
  refresh(*object);
  return error;
}

// The first half of a condition wait; the caller then publishes the second, kReacquire.
int Model::perform_wait(ThreadId t, const Op& op) {
  Object* mutex = objects_.find_or_make(op.second);
  if (mutex == nullptr) return ENOMEM;
  if (const int error = mutex->mutex.unlock(op.mutex, t)) return error;
  refresh(*mutex);
  Object* condvar = objects_.find_or_make(op.object);
  if (condvar == nullptr) return ENOMEM;
  ++condvar->condvar.waiters;
  threads_[t].waits_since = ++clock_;
  return 0;
}

int Model::perform_reacquire(ThreadId t, const Op& op) {
  Object* condvar = objects_.find(op.object);
  condvar->condvar.wake(tokens_, threads_[t].waits_since);
  refresh(*condvar);
  Object* mutex = objects_.find(op.second);
  mutex->mutex.lock(op.mutex, t, op.pc);
  note_owner(*mutex);
  refresh(*mutex);
  return 0;
}

int Model::perform_wake(const Op& op) {
  Object* object = objects_.find(op.object);
  if (object == nullptr) return 0;  // nobody waits: the signal is lost
  if (op.kind == OpKind::kSignal)
    object->condvar.signal(tokens_, ++clock_);
  else
    object->condvar.broadcast(tokens_, ++clock_);
  refresh(*object);
  return 0;
}

int Model::perform_once(ThreadId t, const Op& op) {
  Object* object = objects_.find_or_make(op.object);
  if (object == nullptr) return ENOMEM;
  object->once_runner = t;
  refresh(*object);
  return kOnceRun;
}

void Model::finish_once(ThreadId t, uint64_t address) {
  Object* object = objects_.find(address);
  if (object == nullptr || object->once_runner != t) return;
  object->once_runner = kNoThread;
  refresh(*object);
}

void Model::forget_mutex(uint64_t address) {
  Object* object = objects_.find(address);
  if (object == nullptr) return;
  object->mutex.release();
  refresh(*object);
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
  if (object.mutex.owner < kMaxThreads) object.owner_ordinal = ordinals_[object.mutex.owner];
}

ThreadId Model::owner(uint64_t mutex) {
  const Object* object = objects_.find(mutex);
  return object == nullptr ? kNoThread : object->mutex.owner;
}

}  // namespace snarl
