// Making way (docs/rules.md, rule 15): a thread that idles again and again while no other thread moves is passed over
// until all others have had a step. This is a mechanism against livelock, not a rule of the schedule: a run in which it
// happens is marked.
#include "conduct/conductor.h"

namespace snarl::conduct {
namespace {

// Large enough that a few idle steps don't disturb the order that sleeps make, small enough that a spin loop ends soon.
constexpr int kIdleRounds = 16;
// If the next deadline is far ahead, and perhaps a watchdog's: as many as only a loop makes that waits for nothing
// else, while nothing else happens or, for loops of which that can't be said, in all.
constexpr uint64_t kFarSpins = 1000;
constexpr int kFarRounds = 10'000;

// Steps: a handler posts, writes or takes a lock, and returns.
constexpr uint32_t kLongestHandler = 64;

// The yield that the watchdog forces on a thread that reaches no point.
bool is_forced(const Op& op) { return op.kind == OpKind::kYield && op.pc == 0; }

}  // namespace

// Has `t` idled for too long? What it could see changes with any step of another thread, so its idle steps count while
// it alone moves. At a place where it was found to spin once, it makes way each time: the run is marked anyway, and the
// thread that it waits for should not need kPatience steps for each of its own.
bool Conductor::makes_way(ThreadId t, const Op& op) {
  if (is_alarm(t))
    return ways_[t].handled > kPatience;  // it may be set again: one that repeats must let the others run
  if (is_forced(op)) return true;
  const ThreadId who = is_timer(t) ? thread_of_timer(t) : t;
  Way& way = ways_[who];
  way.fired += is_timer(t);
  const bool counted = op.kind == OpKind::kSleep && way.slept;  // with its timer, which has fired
  way.slept = is_timer(t) && model_.pending(who).kind == OpKind::kSleep;
  if (counted) return false;
  if (hurries_ || (way.spins_at != 0 && way.spins_at == op.pc)) return ++idle_taken_, true;
  const auto others = static_cast<int64_t>(*steps_ - model_.taken(who) - way.fired);  // falls while it is alone
  if (others > way.others) way.idle = 0;
  way.others = others;
  if (somebody_starves(who)) hurries_ = true;
  if (++way.idle < kPatience) return hurries_;
  idle_taken_ += way.idle;
  way.idle = 0;
  way.spins_at = op.pc;
  return true;
}

// Threads that idle in turn see each other move. So, now and then: is there a thread that could move, or sleeps, and
// has not moved since the last look? The more threads there are, the longer each of them may have to wait for its turn
// by chance.
bool Conductor::somebody_starves(ThreadId idler) {
  if (++idle_steps_ < kLongPatience * static_cast<uint64_t>(1 + model_.live_count() / 8)) return false;
  idle_steps_ = 0;
  bool any = false;
  model_.live().for_each([&](ThreadId t) {
    if (!model_.enabled().has(t) && !model_.pending(t).timed) return;
    any |= t != idler && ways_[t].looked == model_.taken(t);
    ways_[t].looked = model_.taken(t);
  });
  return any;
}

// All threads that can run spin, and may be waiting for one that sleeps.
void Conductor::pass_time() {
  const bool idle = model_.enabled().is_within(passed_over_, kMaxThreads);
  if (!idle || ++idle_rounds_ < kIdleRounds) return;
  if (model_.next_is_far() && spins_.spins() < kFarSpins && idle_rounds_ < kFarRounds) return;
  idle_rounds_ = 0;
  if (ordered_) order_.fired(timer_of(last_), model_.live());
  model_.advance_time();
  tell_fired();
}

// A timer that repeats could run its handler for ever, each time as soon as the handler has taken a step. A handler
// that is left by a jump never ends, so now and then its steps count after all.
bool Conductor::is_in_handler(ThreadId t) {
  return __builtin_expect(model_.is_handling(t), 0) && ++ways_[t].handled % kLongestHandler != 0;
}

// `t` takes a step: the threads that made way need not wait for it.
void Conductor::pass_over(ThreadId t, bool makes_way) {
  const ThreadId who = is_timer(t) && !is_alarm(t) ? thread_of_timer(t) : t;
  if (makes_way || is_timer(t) || !is_in_handler(who)) ways_[who].moved = ++moves_;
  passed_over_.put(who, makes_way);
  times_passed_over_ += makes_way;
}

// A thread that made way is not eligible until every other thread that can has taken a step. Otherwise threads of high
// priority that spin, alone or in turn, would never let the thread run that they wait for. Some thread is always
// eligible: of those passed over, the first to make way waits for none of the others.
ThreadSet Conductor::eligible() {
  ThreadSet result = model_.enabled();
  if (!passed_over_.empty()) {
    const ThreadId first = longest_waiting();
    const uint64_t longest = first == kNoThread ? ~uint64_t{0} : ways_[first].moved;
    passed_over_.for_each([&](ThreadId t) {
      if (waits_for_others(t, longest)) result.remove(t);
    });
  }
  if (!spinners_.any_held()) return result;
  ThreadSet others = result;  // a thread that waits for memory to change is eligible only if no other is
  spinners_.held(*steps_).for_each([&](ThreadId t) { others.remove(t); });
  return others.empty() ? result : others;
}

}  // namespace snarl::conduct
