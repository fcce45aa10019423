// Known kinds of bugs, named from what a failed run did. Each is a small function on the events: it says that it fits
// only where the events show it, and never guesses from the code. Pure.
#pragma once

#include <optional>
#include <vector>

#include "explain/cause/cause.h"
#include "explain/cause/trace.h"
#include "record/record.h"
#include "report/pattern.h"

namespace snarl::explain {

struct Pattern {
  report::PatternKind kind = report::PatternKind::kNone;
  std::vector<TracedEvent> moments = {};  // report/pattern.h says which
};

// The first that fits, the most telling first. `cause`: of the same events; null: not known.
Pattern find_pattern(const record::RunRecord& run, const Cause* cause);

// Two threads or more, each of which waits for a lock that the next one holds.
std::optional<Pattern> lock_cycle(const record::RunRecord& run);
// An object that is initialised while another thread holds it or waits on it.
std::optional<Pattern> made_anew(const record::RunRecord& run);
// A signal that came when nobody waited, before a wait that nothing ended. The thread must not have read, between the
// two, what was written before the signal: then it knew of it.
std::optional<Pattern> lost_wake_up(const record::RunRecord& run);
// Signals that woke as many others, and one that had waited as well is left.
std::optional<Pattern> wake_up_taken(const record::RunRecord& run);
// A waiter that was woken, and failed before it let go of the mutex, which another thread had taken in between.
std::optional<Pattern> overtaken(const record::RunRecord& run);
// An exchange that succeeded on a value that had changed and come back since its thread read it. Events do not tell a
// compare-exchange from others: only where the cause says that the changes in between matter it is one.
std::optional<Pattern> aba(const record::RunRecord& run, size_t exchange);
// Depth 1: an order. Depth 2: an event of one thread between two of another that conflict with it, and special forms of
// that: ABA, a double take, a missed re-check, a publication before the rest was written. `run` is the one that the
// cause was found from.
std::optional<Pattern> from_cause(const record::RunRecord& run, const Cause& cause);
std::optional<Pattern> from_misuse(const record::RunRecord& run);

}  // namespace snarl::explain
