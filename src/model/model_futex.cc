// Futexes beyond plain wait and wake: bit sets and requeueing.
//
// While no thread waits for particular bits, a wake leaves tokens, and which thread takes them is a choice
// (wait_queue.h). Otherwise the thread that has waited longest is woken, as in the kernel.
#include "model/model.h"

namespace snarl::model {

bool Model::waits_on(ThreadId t) const {
  return slots_[t].pending.kind == OpKind::kFutexWoken && threads_[t].ends == Ending::kNone;
}

bool Model::has_bits(const Object& object) const {
  bool any = false;
  object.pending.for_each([&](ThreadId t) { any |= waits_on(t) && futex_bits(slots_[t].pending) != ~0u; });
  return any;
}

ThreadId Model::oldest_waiter(const Object& object, uint32_t bits) const {
  ThreadId oldest = kNoThread;
  object.pending.for_each([&](ThreadId t) {
    if (!waits_on(t) || (futex_bits(slots_[t].pending) & bits) == 0) return;
    if (oldest == kNoThread || threads_[t].waits_since < threads_[oldest].waits_since) oldest = t;
  });
  return oldest;
}

ThreadId Model::newest_waiter(const Object& object) const {
  ThreadId newest = kNoThread;
  object.pending.for_each([&](ThreadId t) {
    if (waits_on(t) && (newest == kNoThread || threads_[t].waits_since > threads_[newest].waits_since)) newest = t;
  });
  return newest;
}

int Model::wake_futex(uint64_t address, uint32_t most, uint32_t bits) {
  Object* object = objects_.find(address);
  return object == nullptr ? 0 : wake(*object, most, bits);
}

int Model::wake(Object& object, uint32_t most, uint32_t bits) {
  if (bits == ~0u && !has_bits(object)) return leave_tokens(object, most);
  int woken = 0;
  while (static_cast<uint32_t>(woken) < most && object.queue.tokens < object.queue.waiters) {
    const ThreadId t = oldest_waiter(object, bits);
    if (t == kNoThread) break;
    end_early(t, Ending::kWoken);
    set_enabled(t, true);
    ++woken;
  }
  return woken;
}

// Moves the threads that have waited least: the remaining tokens are for the others.
int Model::requeue(uint64_t object, uint64_t second, uint32_t wakes, uint32_t moves) {
  if (objects_.find_or_make(second) == nullptr) return 0;
  Object* from = objects_.find(object);
  Object* to = objects_.find(second);
  if (from == nullptr) return 0;
  int count = wake(*from, wakes, ~0u);
  for (uint32_t moved = 0; moved < moves && from != to && from->queue.tokens < from->queue.waiters; ++moved) {
    const ThreadId t = newest_waiter(*from);
    if (t == kNoThread) break;
    move(t, *from, *to);
    ++count;
  }
  return count;
}

// From now on the thread waits there: an earlier wake there is not for it.
void Model::move(ThreadId t, Object& from, Object& to) {
  from.pending.remove(t);
  --from.queue.waiters;
  to.pending.add(t);
  ++to.queue.waiters;
  slots_[t].pending.object = to.address;
  if (timed_.has(t)) slots_[timer_of(t)].pending.object = to.address;
  threads_[t].waits_since = ++clock_;
  set_enabled(t, can_run(t));
}

}  // namespace snarl::model
