// A finding's schedule for ui.perfetto.dev and chrome://tracing (trace.json). Pure.
#pragma once

#include <string>

#include "report/finding.h"

namespace snarl::report {

// One track for each thread; each row is a slice of 10 us, since steps have an order and no duration. Arrows go from
// what made a thread runnable (create, signal, unlock, ...) to the step that it could then take.
// docs/formats/trace-json.md.
std::string trace_events_text(const Finding& finding);

}  // namespace snarl::report
