// Deadlines. A timer is chosen like a thread; its one step ends the timed wait.
//
// Only a thread that is not enabled may time out: what can be had at once is had, whatever the deadline (POSIX), and a
// wait that ends late could as well have ended before it was woken. Of these deadlines only the earliest may come, and
// time never runs backwards.
//
// A patient deadline comes when no thread can run (docs/rules.md, rule 7), or when a clock was read past it. The
// deadline of a plain sleep is patient, because a test that orders its threads by sleeping would otherwise be a false
// alarm. So is a deadline that was set more than a second ahead: it is there to catch hangs. It stays patient however
// near it comes. Otherwise shorter deadlines, each of them a choice, could make half a minute pass while a thread waits
// for its next step.
#include <cerrno>

#include "base/check.h"
#include "base/hash.h"
#include "model/model.h"

namespace snarl::model {
namespace {

constexpr uint64_t kClockRead = 1000;     // a microsecond
constexpr uint64_t kFar = 1'000'000'000;  // a second: an enabled thread is rarely kept from running for longer

}  // namespace

// A deadline that was far when it was first set may be past now, because other deadlines were chosen. Then it comes
// late, which is allowed, rather than at once.
void Model::set_timer(ThreadId t) {
  const ThreadId timer = timer_of(t);
  slots_[timer].name = combine(slots_[t].name, kTimerBit);
  slots_[timer].ordinal = slots_[t].ordinal | kTimerBit;
  slots_[timer].pending =
      Op{.kind = OpKind::kTimeout, .thread = t, .object = slots_[t].pending.object, .pc = slots_[t].pending.pc};
  patient_.put(timer,
               slots_[t].pending.kind == OpKind::kSleep || threads_[t].was_far || is_far(slots_[t].pending.deadline));
  if (threads_[t].was_far && slots_[t].pending.deadline <= now_) slots_[t].pending.deadline = now_ + kFar;
  slots_[timer].pending.value = threads_[t].was_far ? 1 : 0;
  threads_[t].was_far = false;
  timed_.add(t);
  refresh_timers();
}

bool Model::is_far(uint64_t deadline) const { return deadline > now_ && deadline - now_ > kFar; }

bool Model::next_is_far() const {
  const ThreadId next = next_to_come();
  return next != kNoThread && patient_.has(next) &&
         (is_alarm(next) || slots_[thread_of_timer(next)].pending.kind != OpKind::kSleep);
}

void Model::clear_timer(ThreadId t) {
  if (!timed_.has(t)) return;
  timed_.remove(t);
  set_enabled(timer_of(t), false);
  refresh_timers();
}

bool Model::may_fire(ThreadId t) const {
  return !enabled_.has(t) && slots_[t].pending.deadline == earliest_ && is_choice(timer_of(t));
}

// The deadline is the earliest.
bool Model::is_choice(ThreadId timer) const {
  if (earliest_ <= now_ || sleeps_ == Sleeps::kFree) return true;
  return sleeps_ == Sleeps::kLast && !patient_.has(timer);
}

// No choice lets time pass beyond a deadline that may be set again, not even while its thread is enabled.
void Model::refresh_timers() {
  earliest_ = ~uint64_t{0};
  timed_.for_each([this](ThreadId t) {
    const bool counts = !enabled_.has(t) || slots_[timer_of(t)].pending.value != 0;
    if (counts && slots_[t].pending.deadline < earliest_) earliest_ = slots_[t].pending.deadline;
  });
  alarms_.for_each([this](ThreadId slot) {
    if (deadline_of(slot) < earliest_) earliest_ = deadline_of(slot);
  });
  timed_.for_each([this](ThreadId t) { set_enabled(timer_of(t), may_fire(t)); });
  alarms_.for_each([this](ThreadId slot) { set_enabled(slot, alarm_may_fire(slot)); });
}

uint64_t Model::read_clock() {
  const bool comes = now_ < earliest_ && earliest_ - now_ <= kClockRead;
  ++clock_reads_;
  now_ += kClockRead;
  if (comes) refresh_timers();
  return now_;
}

int Model::perform_timeout(ThreadId timer) {
  const ThreadId t = thread_of_timer(timer);
  if (slots_[t].pending.deadline > now_) now_ = slots_[t].pending.deadline;
  end_early(t, Ending::kTimedOut);
  set_enabled(t, can_run(t));
  return 0;
}

// Does not enable the thread: that is for the caller to do.
void Model::end_early(ThreadId t, Ending ending) {
  clear_timer(t);
  leave_queue(t);
  set_apart(t);
  threads_[t].ends = ending;
}

// A waiter that gives up must not keep a token from the others.
void Model::leave_queue(ThreadId t) {
  const OpKind kind = slots_[t].pending.kind;
  if (kind != OpKind::kReacquire && kind != OpKind::kFutexWoken) return;
  Object* object = objects_.find(slots_[t].pending.object);
  object->queue.give_up(tokens_, [&](uint64_t time) {
    uint32_t older = 0;
    object->pending.for_each([&](ThreadId other) {
      const bool waits = other != t && slots_[other].pending.kind == kind && threads_[other].ends == Ending::kNone;
      older += waits && threads_[other].waits_since < time;
    });
    return older;
  });
  refresh(*object);
}

uint64_t Model::time_to(ThreadId timer) const {
  const uint64_t deadline = deadline_of(is_alarm(timer) ? timer : thread_of_timer(timer));
  return deadline > now_ ? deadline - now_ : 0;
}

uint64_t Model::time_to_deadline() const {
  uint64_t earliest = ~uint64_t{0};
  timed_.for_each([&](ThreadId t) {
    if (slots_[t].pending.deadline < earliest) earliest = slots_[t].pending.deadline;
  });
  alarms_.for_each([&](ThreadId slot) {
    if (deadline_of(slot) < earliest) earliest = deadline_of(slot);
  });
  return earliest == ~uint64_t{0} ? earliest : earliest > now_ ? earliest - now_ : 0;
}

ThreadId Model::next_to_come() const {
  ThreadId next = kNoThread;
  uint64_t earliest = ~uint64_t{0};
  timed_.for_each([&](ThreadId t) {
    if (enabled_.has(t) || slots_[t].pending.deadline >= earliest) return;
    next = timer_of(t);
    earliest = slots_[t].pending.deadline;
  });
  alarms_.for_each([&](ThreadId slot) {
    if (deadline_of(slot) >= earliest) return;
    next = slot;
    earliest = deadline_of(slot);
  });
  return next;
}

bool Model::advance_time() {
  const ThreadId next = next_to_come();
  if (next == kNoThread) return false;
  is_alarm(next) ? perform_alarm(next) : perform_timeout(next);
  return true;
}

void Model::set_alarm(int alarm, uint64_t deadline, bool patient, uint64_t pc) {
  const ThreadId slot = alarm_slot(alarm);
  slots_[slot].name = combine(kMainName, kTimerBit | kAlarmBit | static_cast<uint32_t>(alarm));
  slots_[slot].ordinal = kTimerBit | kAlarmBit | static_cast<uint32_t>(alarm);
  slots_[slot].pending = Op{.kind = OpKind::kTimeout, .deadline = deadline, .pc = pc};
  alarms_.add(slot);
  patient_.put(slot, patient || is_far(deadline));
  refresh_timers();
}

void Model::clear_alarm(int alarm) {
  alarms_.remove(alarm_slot(alarm));
  set_enabled(alarm_slot(alarm), false);
  refresh_timers();
}

bool Model::alarm_may_fire(ThreadId slot) const { return deadline_of(slot) == earliest_ && is_choice(slot); }

int Model::perform_alarm(ThreadId slot) {
  if (deadline_of(slot) > now_) now_ = deadline_of(slot);
  fired_.add(slot);
  clear_alarm(alarm_of(slot));
  return 0;
}

int Model::take_fired() {
  if (fired_.empty()) return -1;
  const ThreadId slot = fired_.first();
  fired_.remove(slot);
  return alarm_of(slot);
}

}  // namespace snarl::model
