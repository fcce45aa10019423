#include "model/model.h"

#include <cerrno>

#include "base/anew.h"
#include "base/check.h"
#include "base/hash.h"
#include "model/at_once.h"

namespace snarl::model {
namespace {

// Operations that may have to wait for an object: checked again whenever it changes.
bool uses_object(OpKind kind) {
  switch (kind) {
    case OpKind::kLock:
    case OpKind::kReacquire:
    case OpKind::kOnce:
    case OpKind::kReadLock:
    case OpKind::kWriteLock:
    case OpKind::kSemWait:
    case OpKind::kBarrierPass:
    case OpKind::kFutexWoken: return true;
    default: return false;
  }
}

}  // namespace

void Model::begin(Sleeps sleeps) {
  live_.clear();
  occupied_.clear();
  enabled_.clear();
  gained_.clear();
  created_ = 1;
  clock_ = now_ = clock_reads_ = 0;
  sleeps_ = sleeps;
  timed_.clear();
  alarms_.clear();
  fired_.clear();
  earliest_ = ~uint64_t{0};
  tokens_.begin();
  objects_.begin();
  misuse_.kind = MisuseKind::kNone;
  destroyed_.begin();
  make_anew(threads_[kMainThread]);
  make_anew(slots_[kMainThread].pending);
  slots_[kMainThread].name = kMainName;
  slots_[kMainThread].ordinal = 0;
  live_.add(kMainThread);
  occupied_.add(kMainThread);
  enabled_.add(kMainThread);
  live_count_ = 1;
  used_ = 1;
}

ThreadId Model::spawn(ThreadId parent, bool detached, uint64_t create_pc) {
  const ThreadId t = occupied_.first_absent(kMaxThreads);
  if (__builtin_expect(t == kNoThread, 0)) return t;
  used_ = t >= used_ ? static_cast<ThreadId>(t + 1) : used_;
  Thread& thread = make_anew(threads_[t]);
  thread.detached = detached;
  thread.creator = slots_[parent].ordinal;
  thread.create_pc = create_pc;
  slots_[t].name = name_of_child(slots_[parent].name, threads_[parent].children++);
  slots_[t].ordinal = created_++;
  make_anew(slots_[t].pending).kind = OpKind::kStart;
  live_.add(t);
  occupied_.add(t);
  ++live_count_;
  enabled_.add(t);
  gained_.add(t);
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

bool Model::publish_effect(ThreadId t, const Op& op) {
  threads_[t].ends = Ending::kNone;
  if (uses_object(op.kind) && !link(t, op.object)) return false;
  if (op.kind == OpKind::kReacquire && !link_mutex(op.second)) return false;
  if (op.kind == OpKind::kJoin && op.thread != kNoThread && join_result(t) == 0) threads_[op.thread].joiner = t;
  if (op.kind == OpKind::kSemWait) objects_.find(op.object)->semaphore = op.value;
  if (is_cancelled(t)) end_early(t, Ending::kCancelled);
  enabled_.put(t, can_run(t));  // not `gained`: this thread knows it already
  if (op.timed && threads_[t].ends == Ending::kNone) set_timer(t);
  if (op.kind == OpKind::kWriteLock) refresh(*objects_.find(op.object));  // readers may have to wait now
  return true;
}

// A create itself changes nothing: spawn() does.
bool Model::perform_at_once(ThreadId t, const Op& op) {
  constexpr OpKinds kLocks = {OpKind::kLock, OpKind::kUnlock, OpKind::kTryLock};
  constexpr OpKinds kEnds = {OpKind::kExit, OpKind::kJoin};
  const bool locks = kLocks.has(op.kind), ends = kEnds.has(op.kind);
  const bool cancellable = (op.traits & kCancellable) != 0;
  if (__builtin_expect(op.timed, 0)) return false;
  if (__builtin_expect(cancellable, 0) &&
      (__builtin_expect(op.kind != OpKind::kJoin, 0) || __builtin_expect(threads_[t].cancelled, 0)))
    return false;
  if (__builtin_expect(locks, 0) && !lock_at_once(t, op)) return false;
  if (ends && !end_at_once(t, op)) return false;
  note_performed(t, op);
  return true;
}

bool Model::lock_at_once(ThreadId t, const Op& op) {
  return mutex_at_once(op.kind, op.mutex, t, op.object, op.pc, op.traits);
}

// The result of an operation that ended without being performed. A writer that gives up does not hold readers back,
// and a thread that was not joined after all may be joined by another.
int Model::perform_early(ThreadId t) {
  const Op& op = slots_[t].pending;
  if (op.kind == OpKind::kWriteLock) refresh(*objects_.find(op.object));
  if (op.kind == OpKind::kJoin && threads_[op.thread].joiner == t) threads_[op.thread].joiner = kNoThread;
  if (threads_[t].ends == Ending::kCancelled) return ECANCELED;
  return op.kind == OpKind::kSleep || threads_[t].ends == Ending::kWoken ? 0 : ETIMEDOUT;
}

bool Model::can_run(ThreadId t) {
  const Op& op = slots_[t].pending;
  const Thread& thread = threads_[t];
  if (__builtin_expect(thread.ends != Ending::kNone, 0) && op.kind != OpKind::kReacquire) return true;
  if (is_interrupted(t)) return true;
  switch (op.kind) {
    case OpKind::kLock: return objects_.find(op.object)->mutex.lock_returns(op.mutex, t);
    case OpKind::kReadLock: return read_lock_returns(t, op);
    case OpKind::kWriteLock: return objects_.find(op.object)->rwlock.write_lock_returns(t);
    case OpKind::kOnce: return objects_.find(op.object)->once_runner == kNoThread;
    case OpKind::kJoin: return join_returns(t);
    case OpKind::kSemWait: return objects_.find(op.object)->semaphore > 0;
    case OpKind::kBarrierPass: return objects_.find(op.object)->barrier.round > thread.round;
    case OpKind::kFutexWoken: return objects_.find(op.object)->queue.may_wake(tokens_, thread.waits_since);
    case OpKind::kReacquire: return reacquire_returns(t);
    case OpKind::kSleep: return op.timed && op.deadline <= now_;  // of no length: a yield
    case OpKind::kIo: return op.value != 0;
    default: return true;
  }
}

void Model::set_ready(ThreadId t, bool ready) {
  slots_[t].pending.value = ready ? 1 : 0;
  set_enabled(t, can_run(t));
}

int Model::perform_effect(ThreadId t) {
  SNARL_CHECK(enabled_.has(t));
  misuse_.kind = MisuseKind::kNone;
  if (__builtin_expect(is_timer(t), 0)) return is_alarm(t) ? perform_alarm(t) : perform_timeout(t);
  const Op& op = slots_[t].pending;
  const bool returns =
      __builtin_expect(threads_[t].ends != Ending::kNone, 0) || is_interrupted(t);  // then the object is not used
  if (watches_ && !returns && !is_beyond_doubt(t, op)) look_for_misuse(t, op);
  if (__builtin_expect(op.timed, 0)) clear_timer(t);
  if (uses_object(op.kind)) unlink(t, op.object);
  if (__builtin_expect(op.kind == OpKind::kReacquire, 0)) unlink_mutex(t, op.second);
  if (__builtin_expect(threads_[t].ends != Ending::kNone, 0) && op.kind != OpKind::kReacquire) return perform_early(t);
  if (is_interrupted(t)) return perform_interrupted(t);
  switch (op.kind) {
    case OpKind::kExit: return perform_exit(t);
    case OpKind::kJoin: return perform_join(t);
    case OpKind::kTryJoin: return op.thread != kNoThread && threads_[op.thread].ended ? perform_join(t) : EBUSY;
    case OpKind::kCancel: return perform_cancel(t, op.thread);
    case OpKind::kDetach: return perform_detach(t);
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock: return perform_mutex(t, op);
    case OpKind::kWait: return perform_wait(t, op);
    case OpKind::kReacquire: return perform_reacquire(t, op);
    case OpKind::kSignal:
    case OpKind::kBroadcast: return perform_wake(op);
    case OpKind::kOnce: return perform_once(t, op);
    case OpKind::kReadLock:
    case OpKind::kTryReadLock:
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock:
    case OpKind::kRwUnlock: return perform_rwlock(t, op);
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost: return perform_semaphore(op);
    case OpKind::kBarrierWait: return perform_barrier(t, op);
    case OpKind::kFutexWoken: return perform_woken(t, op);
    case OpKind::kFutexWake: return wake_futex(op.object, futex_low(op), futex_bits(op));
    case OpKind::kFutexRequeue: return requeue(op.object, op.second, futex_low(op), futex_high(op));
    case OpKind::kConsistent: return perform_consistent(op);
    case OpKind::kMutexDestroy:
      if (owner(op.object) != kNoThread) return EBUSY;
      note_destroyed(t, op);
      [[fallthrough]];
    case OpKind::kMutexInit: forget_mutex(op.object); return 0;
    case OpKind::kCondDestroy:
    case OpKind::kRwDestroy:
    case OpKind::kSemDestroy:
    case OpKind::kBarrierDestroy: note_destroyed(t, op); return 0;
    case OpKind::kRwInit: forget_rwlock(op.object); return 0;
    default: return 0;
  }
}

}  // namespace snarl::model
