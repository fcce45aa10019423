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
// A signal that came when nobody waited, before a wait that nothing ended.
std::optional<Pattern> lost_wake_up(const record::RunRecord& run);
// A waiter that was woken, and failed before it let go of the mutex, which another thread had taken in between.
std::optional<Pattern> overtaken(const record::RunRecord& run);
// A compare-exchange that succeeded on a value that had changed and come back since its thread read it.
std::optional<Pattern> aba(const record::RunRecord& run);
// Depth 1: an order. Depth 2: an event of one thread between two of another that conflict with it.
std::optional<Pattern> from_cause(const Cause& cause);
std::optional<Pattern> from_misuse(const record::RunRecord& run);

}  // namespace snarl::explain
