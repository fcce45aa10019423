// Misuse: is the operation that a thread is about to perform against the rules of its object?
//
// This is what the model suspects. The runtime, which can look at the program's own object, has the last word
// (runtime/truth/misuse_truth.cc). If libc tells the program of its mistake by an error that POSIX promises (EPERM of
// an error-checking or recursive mutex, ...), it is not a misuse.
#include <cerrno>

#include "model/model.h"

namespace snarl::model {
namespace {

bool is_init(OpKind kind) {
  return kind == OpKind::kMutexInit || kind == OpKind::kCondInit || kind == OpKind::kRwInit ||
         kind == OpKind::kSemInit || kind == OpKind::kBarrierInit;
}

bool is_destroy(OpKind kind) {
  return kind == OpKind::kMutexDestroy || kind == OpKind::kCondDestroy || kind == OpKind::kRwDestroy ||
         kind == OpKind::kSemDestroy || kind == OpKind::kBarrierDestroy;
}

// The second half of a wait may come after the object was destroyed by the thread that woke the waiter.
bool is_second_half(OpKind kind) { return kind == OpKind::kReacquire || kind == OpKind::kBarrierPass; }

}  // namespace

// The most common operations, in their most common form: they should cost next to nothing.
bool Model::is_beyond_doubt(ThreadId t, const Op& op) {
  constexpr OpKinds kAlways = {OpKind::kExit, OpKind::kEndProcess};
  constexpr OpKinds kUnlessDestroyed = {OpKind::kLock, OpKind::kTryLock};
  if (kAlways.has(op.kind)) return true;
  if (op.kind == OpKind::kJoin) return join_result(t) == 0;
  if (destroyed_.find(op.object) != nullptr) return false;
  if (kUnlessDestroyed.has(op.kind)) return true;
  const Object* object = op.kind == OpKind::kUnlock ? objects_.find(op.object) : nullptr;
  return object != nullptr && !object->mutex.is_free() && object->mutex.owner == t;
}

void Model::look_for_misuse(ThreadId t, const Op& op) {
  misuse_ = Misuse{.op = op.kind, .shape = op.shape, .thread = slots_[t].ordinal, .object = op.object, .pc = op.pc};
  if (look_at_destroyed(op)) return;
  switch (op.kind) {
    case OpKind::kUnlock: return look_at_unlock(t, op);
    case OpKind::kRwUnlock: return look_at_rw_unlock(t, op);
    case OpKind::kWait:
      look_at_wait(t, op);
      if (misuse_.kind == MisuseKind::kNone) look_for_two_mutexes(t, op);  // of the condition variable
      return;
    case OpKind::kMutexDestroy:
    case OpKind::kCondDestroy:
    case OpKind::kRwDestroy:
    case OpKind::kSemDestroy:
    case OpKind::kBarrierDestroy: return look_at_destroy(op);
    case OpKind::kJoin: return look_at_join(t);
    default: return;
  }
}

void Model::found(MisuseKind kind, OpKind other_op, uint32_t other, uint64_t other_pc) {
  misuse_.kind = kind;
  misuse_.other_op = other_op;
  misuse_.other = other;
  misuse_.other_pc = other_pc;
}

// A condition wait uses its mutex when it ends.
bool Model::look_at_freed(const Op& op) {
  const uint64_t object = op.kind == OpKind::kReacquire ? op.second : op.object;
  const Destroyed* freed = destroyed_.find(object);
  if (freed == nullptr || !freed->freed || object_of(op.kind) == ObjectKind::kNone) return false;
  if (is_init(op.kind) || op.shape != LockShape::kMutex) {
    destroyed_.remove(object);  // a new object
    return true;
  }
  constexpr OpKinds kPast = {OpKind::kBarrierPass, OpKind::kFutexWait,    OpKind::kFutexWoken,
                             OpKind::kFutexWake,   OpKind::kFutexRequeue, OpKind::kOnce};
  if (kPast.has(op.kind)) return true;
  misuse_.object = object;
  found(MisuseKind::kUseAfterFree, OpKind::kFree, freed->thread, freed->pc);
  return true;
}

bool Model::look_at_destroyed(const Op& op) {
  if (look_at_freed(op)) return misuse_.kind != MisuseKind::kNone;
  const Destroyed* destroyed = destroyed_.find(op.object);
  const ObjectKind kind = object_of(op.kind);
  if (destroyed == nullptr || kind == ObjectKind::kNone || is_second_half(op.kind)) return false;
  if (is_init(op.kind) || destroyed->kind != kind || op.shape != LockShape::kMutex) {
    destroyed_.remove(op.object);  // a new object
    return false;
  }
  constexpr OpKind kDestroys[] = {OpKind::kNone,      OpKind::kMutexDestroy, OpKind::kCondDestroy,
                                  OpKind::kRwDestroy, OpKind::kSemDestroy,   OpKind::kBarrierDestroy,
                                  OpKind::kNone,      OpKind::kNone};
  found(MisuseKind::kUseAfterDestroy, kDestroys[static_cast<size_t>(kind)], destroyed->thread, destroyed->pc);
  return true;
}

void Model::note_destroyed(ThreadId t, const Op& op) {
  if (!is_destroy(op.kind) || op.shape != LockShape::kMutex || destroyed_.find(op.object) != nullptr) return;
  destroyed_.add({.object = op.object, .pc = op.pc, .thread = slots_[t].ordinal, .kind = object_of(op.kind)});
}

void Model::note_freed(uint32_t ordinal, uint64_t object, uint64_t pc) {
  destroyed_.add({.object = object, .pc = pc, .thread = ordinal, .freed = true});
  if (objects_.find(object) != nullptr) forget_mutex(object);
}

void Model::look_at_unlock(ThreadId t, const Op& op) {
  if (op.mutex != MutexKind::kNormal) return;
  const Object* object = objects_.find(op.object);
  if (object == nullptr || object->mutex.is_free())
    return found(MisuseKind::kUnlockNotLocked, OpKind::kNone, kNobody, 0);
  if (object->mutex.owner != t)
    found(MisuseKind::kUnlockNotOwner, OpKind::kLock, object->owner_ordinal, object->mutex.pc);
}

void Model::look_at_wait(ThreadId t, const Op& op) {
  if (op.mutex != MutexKind::kNormal) return;
  const Object* mutex = objects_.find(op.second);
  misuse_.object = op.second;
  if (mutex == nullptr || mutex->mutex.is_free()) return found(MisuseKind::kWaitNotOwner, OpKind::kNone, kNobody, 0);
  if (mutex->mutex.owner != t) found(MisuseKind::kWaitNotOwner, OpKind::kLock, mutex->owner_ordinal, mutex->mutex.pc);
}

void Model::look_at_rw_unlock(ThreadId t, const Op& op) {
  const Object* object = objects_.find(op.object);
  if (object == nullptr || object->rwlock.is_free())
    return found(MisuseKind::kUnlockNotLocked, OpKind::kNone, kNobody, 0);
  const RwHolders& holders = object->rwlock.holders;
  if (holders.more || holders.count == 0 || holders.find(t) != nullptr) return;
  const bool writing = object->rwlock.writer != kNoThread;
  found(MisuseKind::kUnlockNotOwner, writing ? OpKind::kWriteLock : OpKind::kReadLock, holders.known[0].ordinal,
        holders.known[0].pc);
}

// While a thread is blocked on a condition variable, the variable is bound to that thread's mutex.
void Model::look_for_two_mutexes(ThreadId t, const Op& op) {
  const Object* object = objects_.find(op.object);
  misuse_.object = op.object;
  if (object == nullptr || object->queue.waiters <= object->queue.tokens) return;
  object->pending.for_each([&](ThreadId u) {
    const Op& waits = slots_[u].pending;
    const bool blocked =
        u != t && waits.kind == OpKind::kReacquire && waits.object == op.object && threads_[u].ends == Ending::kNone;
    if (blocked && waits.second != op.second)
      found(MisuseKind::kCondvarTwoMutexes, OpKind::kWait, slots_[u].ordinal, waits.pc);
  });
}

void Model::look_at_destroy(const Op& op) {
  const Object* object = objects_.find(op.object);
  if (object == nullptr) return;
  if (op.kind == OpKind::kMutexDestroy && !object->mutex.is_free())
    return found(MisuseKind::kDestroyLocked, OpKind::kLock, object->owner_ordinal, object->mutex.pc);
  if (op.kind == OpKind::kRwDestroy && !object->rwlock.is_free()) {
    const RwHolders& holders = object->rwlock.holders;
    const bool known = holders.count > 0;
    return found(MisuseKind::kDestroyLocked,
                 object->rwlock.writer != kNoThread ? OpKind::kWriteLock : OpKind::kReadLock,
                 known ? holders.known[0].ordinal : kNobody, known ? holders.known[0].pc : object->rwlock.pc);
  }
  look_for_waiters(*object, op.kind);
}

// Threads that have been woken don't count: a condition variable may be destroyed after a broadcast, a barrier once its
// round is complete. For a mutex, the threads count that will take it again after a wait.
void Model::look_for_waiters(const Object& object, OpKind destroy) {
  const bool all_woken = destroy == OpKind::kCondDestroy && object.queue.waiters <= object.queue.tokens;
  if (all_woken) return;
  const auto look = [&](ThreadId u) {
    const Op& waits = slots_[u].pending;
    const bool by_mutex =
        destroy == OpKind::kMutexDestroy && waits.kind == OpKind::kReacquire && waits.second == object.address;
    const bool by_condition = destroy == OpKind::kCondDestroy && waits.kind == OpKind::kReacquire &&
                              waits.object == object.address && threads_[u].ends == Ending::kNone;
    const bool other = (destroy == OpKind::kSemDestroy && waits.kind == OpKind::kSemWait) ||
                       (destroy == OpKind::kBarrierDestroy && waits.kind == OpKind::kBarrierPass);
    if (by_mutex || by_condition || (other && !enabled_.has(u)))
      found(MisuseKind::kDestroyWaited, waits.kind == OpKind::kReacquire ? OpKind::kWait : waits.kind,
            slots_[u].ordinal, waits.pc);
  };
  if (destroy == OpKind::kMutexDestroy) return live_.for_each(look);
  object.pending.for_each(look);
  object.alike.for_each(look);
}

void Model::look_at_join(ThreadId t) {
  const ThreadId target = slots_[t].pending.thread;
  if (target >= used_) return;
  const Thread& thread = threads_[target];
  misuse_.joined = slots_[target].ordinal;
  if (target == t) return found(MisuseKind::kJoinSelf, OpKind::kCreate, thread.creator, thread.create_pc);
  if (thread.detached && thread.detached_by != kNobody)
    return found(MisuseKind::kJoinDetached, OpKind::kDetach, thread.detached_by, thread.detach_pc);
  if (thread.detached) return found(MisuseKind::kJoinDetached, OpKind::kCreate, thread.creator, thread.create_pc);
  if (thread.joined_by != kNobody)
    return found(MisuseKind::kJoinTwice, OpKind::kJoin, thread.joined_by, thread.join_pc);
  const ThreadId joiner = thread.joiner;
  if (occupied_.has(target) && joiner != kNoThread && joiner != t)
    found(MisuseKind::kJoinTwice, OpKind::kJoin, slots_[joiner].ordinal, slots_[joiner].pending.pc);
}

}  // namespace snarl::model
