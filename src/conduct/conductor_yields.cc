// Giving way: whoever yields is passed over until all others have had a step.
#include "conduct/conductor.h"

namespace snarl {
namespace {

// So many that a few yields don't disturb the order that sleeps make, so few that a spin loop ends soon.
constexpr int kIdleYields = 16;
// Where the next deadline is far ahead, and perhaps a watchdog's: as many as only a loop makes that waits for nothing
// else, while nothing else happens or, for loops of which that can't be said, in all.
constexpr uint64_t kFarSpins = 1000;
constexpr int kFarYields = 10'000;

// Steps: a handler posts, writes or takes a lock, and returns.
constexpr uint32_t kLongestHandler = 64;

}  // namespace

// A yield gives way to all others. So does every second timed wait that runs out of time, and every second test
// for cancellation: a loop of them ends, and what follows the first can still come before anybody else's next step.
// So does every sixteenth pause: code that spins a little before it blocks (the C++ library pauses twelve times)
// must be able to get that far while others do nothing.
bool Conductor::gives_way(ThreadId t, OpKind did) {
  if (did == OpKind::kPause) return ++ways_[t].pauses % kPausesTogether == 0;
  if (did == OpKind::kYield) return true;
  if (is_alarm(t)) return true;  // it may be set again: one that repeats must let the others run
  const ThreadId who = is_timer(t) ? thread_of_timer(t) : t;
  const bool second = impatient_.has(who);
  impatient_.put(who, !second);
  return second;
}

// Those who can run all yield, and may be waiting for one that sleeps.
void Conductor::pass_time() {
  const bool idle = model_.enabled().is_within(passed_over_, kMaxThreads);
  if (!idle || ++idle_yields_ < kIdleYields) return;
  if (model_.next_is_far() && spins_.spins() < kFarSpins && idle_yields_ < kFarYields) return;
  idle_yields_ = 0;
  model_.advance_time();
  tell_fired();
}

// A timer that repeats could bring its handler about for ever, each time as soon as that has taken a step. A handler
// that is left by a jump never ends, so that now and then its steps count after all.
bool Conductor::is_in_handler(ThreadId t) {
  return __builtin_expect(model_.is_handling(t), 0) && ++ways_[t].handled % kLongestHandler != 0;
}

// `t` takes a step: those who gave way no longer wait for it.
void Conductor::pass_over(ThreadId t, bool gives_way) {
  const ThreadId who = is_timer(t) && !is_alarm(t) ? thread_of_timer(t) : t;
  if (gives_way || is_timer(t) || !is_in_handler(who)) ways_[who].moved = ++moves_;
  passed_over_.put(who, gives_way);
}

// A thread that yielded is not eligible until every other one that can has taken a step: otherwise threads of high
// priority that spin, alone or in turn, would never let the one run that they wait for. Somebody is always
// eligible: of those passed over, the first to yield waits for none of the others.
ThreadSet Conductor::eligible() {
  ThreadSet result = model_.enabled();
  if (!passed_over_.empty()) {
    const ThreadId first = longest_waiting();
    const uint64_t longest = first == kNoThread ? ~uint64_t{0} : ways_[first].moved;
    passed_over_.for_each([&](ThreadId t) {
      if (gave_way(t, longest)) result.remove(t);
    });
  }
  if (!spinners_.any_held()) return result;
  ThreadSet others = result;  // of those who wait for memory to change, only if there is nobody else
  spinners_.held(*steps_).for_each([&](ThreadId t) { others.remove(t); });
  return others.empty() ? result : others;
}

}  // namespace snarl
