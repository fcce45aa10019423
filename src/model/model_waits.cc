// Condition variables, futexes, semaphores, barriers, once: waiting for what another thread does.
#include <cerrno>

#include "model/model.h"

namespace snarl::model {

// The first half of a condition wait; the caller then publishes the second, kReacquire.
int Model::perform_wait(ThreadId t, const Op& op) {
  Object* mutex = objects_.find_or_make(op.second);
  if (mutex == nullptr) return ENOMEM;
  if (const int error = mutex->mutex.unlock(op.mutex, t, op.traits)) return error;
  refresh(*mutex);
  return enqueue(t, op.object) ? 0 : ENOMEM;
}

bool Model::enqueue(ThreadId t, uint64_t address) {
  Object* object = objects_.find_or_make(address);
  if (object == nullptr) return false;
  ++object->queue.waiters;
  threads_[t].waits_since = ++clock_;
  return true;
}

int Model::perform_reacquire(ThreadId t, const Op& op) {
  const Ending ends = threads_[t].ends;
  const int result = ends == Ending::kNone ? perform_woken(t, op) : ends == Ending::kCancelled ? ECANCELED : ETIMEDOUT;
  Object* mutex = objects_.find(op.second);
  const int error = mutex->mutex.lock(op.mutex, t, op.pc, op.traits);
  note_owner(*mutex);
  refresh(*mutex);
  return error == 0 || result == ECANCELED ? result : error;
}

int Model::perform_woken(ThreadId t, const Op& op) {
  Object* object = objects_.find(op.object);
  const uint16_t newest = object->queue.newest;
  object->queue.wake(tokens_, threads_[t].waits_since);
  if (object->queue.newest != newest) refresh(*object);  // otherwise the same threads may wake as before
  return 0;
}

int Model::perform_wake(const Op& op) {
  Object* object = objects_.find(op.object);
  if (object == nullptr) return 0;  // no thread waits: the signal is lost
  leave_tokens(*object, op.kind == OpKind::kSignal ? 1 : object->queue.waiters);
  return 0;
}

// Returns how many it left.
int Model::leave_tokens(Object& object, uint64_t most) {
  const uint64_t time = ++clock_;
  const uint16_t before = object.queue.tokens;
  for (uint64_t i = 0; i < most && object.queue.tokens < object.queue.waiters; ++i) object.queue.signal(tokens_, time);
  refresh(object);
  return object.queue.tokens - before;
}

// A wait is enabled when there is a unit to take; the real semaphore follows in the same step.
int Model::perform_semaphore(const Op& op) {
  if (op.kind == OpKind::kSemTryWait && op.value == 0) return EAGAIN;
  Object* object = objects_.find(op.object);
  if (object == nullptr) return 0;  // no thread waits: the program's own object knows its value
  if (op.kind == OpKind::kSemPost)
    ++object->semaphore;
  else if (object->semaphore > 0)
    --object->semaphore;
  refresh(*object);
  return 0;
}

void Model::set_semaphore(uint64_t address, uint64_t value) {
  Object* object = objects_.find(address);
  if (object == nullptr) return;
  object->semaphore = value;
  refresh(*object);
}

// The first half of a barrier wait; all but the serial thread then publish kBarrierPass.
int Model::perform_barrier(ThreadId t, const Op& op) {
  Object* object = objects_.find_or_make(op.object);
  if (object == nullptr) return ENOMEM;
  threads_[t].round = object->barrier.round;
  if (!object->barrier.arrive(op.value)) return 0;
  refresh(*object);
  return kBarrierSerial;
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

}  // namespace snarl::model
