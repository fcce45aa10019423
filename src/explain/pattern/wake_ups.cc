// Patterns of threads that wait for a signal: too early, too few, too late to help.
#include <utility>

#include "explain/pattern/pattern.h"
#include "explain/pattern/story.h"

namespace snarl::explain {
namespace {

using report::PatternKind;

bool is_wake(const Event& e, uint64_t object) {
  constexpr OpKinds kWakes = {OpKind::kSignal, OpKind::kBroadcast, OpKind::kFutexWake};
  return kWakes.has(e.kind) && e.object == object;
}

bool is_wait(const Event& e, uint64_t object) {
  return (e.kind == OpKind::kWait || e.kind == OpKind::kFutexWait) && e.object == object;
}

bool is_return(const Event& e, uint64_t object) {
  return (e.kind == OpKind::kReacquire || e.kind == OpKind::kFutexWoken) && e.object == object;
}

// On a condition variable or a futex.
bool waits_for_wake(const wire::Thread& t) {
  return is_blocked(t) && (t.pending.kind == OpKind::kReacquire || t.pending.kind == OpKind::kFutexWoken);
}

// A futex wait returns at once where the value is another one.
bool really_waits(const record::RunRecord& run, size_t wait) {
  if (run.events[wait].kind == OpKind::kWait) return true;
  for (size_t i = wait + 1; i < run.events.size(); ++i)
    if (run.events[i].thread == run.events[wait].thread) return is_return(run.events[i], run.events[wait].object);
  return true;
}

// The threads that wait just before each event.
std::vector<uint32_t> waiters_before(const record::RunRecord& run, uint64_t object, size_t event) {
  std::vector<uint32_t> waiting;
  for (size_t i = 0; i < event; ++i) {
    if (is_wait(run.events[i], object) && really_waits(run, i)) waiting.push_back(run.events[i].thread);
    if (is_return(run.events[i], object)) std::erase(waiting, run.events[i].thread);
  }
  return waiting;
}

std::optional<size_t> last_wait(const record::RunRecord& run, uint32_t thread, uint64_t object) {
  for (size_t i = run.events.size(); i-- > 0;)
    if (run.events[i].thread == thread && is_wait(run.events[i], object)) return i;
  return std::nullopt;
}

// Where the thread read, within [from, until), what was written before the signal: code with hooks shows its test of
// the predicate, and unmodified code that of an atomic one.
std::optional<size_t> test_of(const record::RunRecord& run, uint32_t thread, size_t signal, size_t from, size_t until) {
  for (size_t w = signal; w-- > back_from(signal);) {
    const Event& written = run.events[w];
    if (written.thread != run.events[signal].thread || !is_memory_write(written.kind)) continue;
    for (size_t r = until; r-- > from;)
      if (run.events[r].thread == thread && is_memory_read(run.events[r].kind) &&
          run.events[r].object == written.object && (r < w || from > signal))
        return r;
  }
  return std::nullopt;
}

std::optional<Pattern> lost_by(const record::RunRecord& run, const wire::Thread& t) {
  const uint64_t object = t.pending.object;
  const std::optional<size_t> wait = last_wait(run, t.ordinal, object);
  if (!wait) return std::nullopt;
  for (size_t i = *wait; i < run.events.size(); ++i)
    if (is_wake(run.events[i], object)) return std::nullopt;
  for (size_t s = *wait; s-- > 0;) {
    if (!is_wake(run.events[s], object) || run.events[s].thread == t.ordinal) continue;
    if (!waiters_before(run, object, s).empty() || test_of(run, t.ordinal, s, s + 1, *wait)) return std::nullopt;
    Pattern pattern{PatternKind::kLostWakeUp, {moment(run, s), moment(run, *wait)}};
    if (const std::optional<size_t> test = test_of(run, t.ordinal, s, back_from(s), s))
      pattern.moments.push_back(moment(run, *test));
    return pattern;
  }
  return std::nullopt;
}

std::optional<Pattern> taken_from(const record::RunRecord& run, const wire::Thread& t) {
  const uint64_t object = t.pending.object;
  const size_t none = run.events.size(), wait = last_wait(run, t.ordinal, object).value_or(none);
  size_t signal = none, other = none, signals = 0, returns = 0;
  for (size_t i = wait; i < run.events.size(); ++i) {
    const Event& e = run.events[i];
    if (is_wake(e, object) && e.kind != OpKind::kSignal) return std::nullopt;
    if (is_wake(e, object)) signal = i, other = none, ++signals;
    if (!is_return(e, object) || e.result != 0) continue;
    ++returns;
    if (other == none) other = i;
  }
  if (signal == none || other == none || signals != returns) return std::nullopt;
  if (std::ranges::count(waiters_before(run, object, signal), t.ordinal) == 0) return std::nullopt;
  return Pattern{PatternKind::kWakeUpTaken, {moment(run, signal), moment(run, other), moment(run, wait)}};
}

}  // namespace

std::optional<Pattern> lost_wake_up(const record::RunRecord& run) {
  if (!is_stuck(run)) return std::nullopt;
  for (const wire::Thread& t : run.threads)
    if (std::optional<Pattern> found = waits_for_wake(t) ? lost_by(run, t) : std::nullopt) return found;
  return std::nullopt;
}

std::optional<Pattern> wake_up_taken(const record::RunRecord& run) {
  if (!is_stuck(run)) return std::nullopt;
  for (const wire::Thread& t : run.threads)
    if (std::optional<Pattern> found = waits_for_wake(t) ? taken_from(run, t) : std::nullopt) return found;
  return std::nullopt;
}

std::optional<Pattern> overtaken(const record::RunRecord& run) {
  if (is_stuck(run) || run.failure.kind != record::FailureKind::kOutcome) return std::nullopt;
  size_t back = run.events.size();  // where the failing thread came back from its wait
  for (size_t i = run.events.size(); i-- > 0 && back == run.events.size();) {
    const Event& e = run.events[i];
    if (e.thread != run.failing_thread) continue;
    if (e.kind == OpKind::kReacquire && e.result == 0) back = i;
    const bool stays = is_memory_access(e.kind) || e.kind == OpKind::kAfter || e.kind == OpKind::kSignal ||
                       e.kind == OpKind::kBroadcast || e.kind == OpKind::kEndProcess;
    if (back == run.events.size() && !stays) return std::nullopt;
  }
  if (back == run.events.size()) return std::nullopt;
  const uint64_t condition = run.events[back].object, mutex = second_of(run.events[back]);
  std::optional<size_t> wait, wake, taken;
  for (size_t i = back; i-- > 0 && !wait;) {
    const Event& e = run.events[i];
    if (e.thread == run.failing_thread && is_wait(e, condition)) wait = i;
    if (!wait && is_wake(e, condition)) wake = i;
  }
  for (size_t i = wake.value_or(back); i < back && !taken; ++i) {
    const Event& e = run.events[i];
    if (e.kind == OpKind::kLock && e.object == mutex && e.thread != run.failing_thread) taken = i;
  }
  if (!wait || !wake || !taken) return std::nullopt;
  return Pattern{PatternKind::kOvertaken, {moment(run, *wait), moment(run, *wake), moment(run, *taken)}};
}

}  // namespace snarl::explain
