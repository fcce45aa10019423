// The events of a run under names that mean the same in every run of the program: what causes are looked for in. Pure.
//
// Only events that a directive can name (schedule/directive.h), and that others could come between, are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "record/record.h"
#include "schedule/directive_file.h"
#include "schedule/operation.h"

namespace snarl::explain {

struct TracedEvent {
  uint64_t thread = 0;  // name
  uint64_t place = 0;   // means the same in every process
  uint64_t nth = 1;     // the thread's n-th arrival there
  OpKind kind = OpKind::kNone;
  bool performed = true;    // false: its thread had arrived there when the run ended
  uint64_t object = 0;      // address: equal means the same within the run
  uint64_t second = 0;      // likewise
  uint32_t ordinal = 0;     // of the thread
  size_t index = kPending;  // in RunRecord::events

  static constexpr size_t kPending = ~size_t{0};
};

using Trace = std::vector<TracedEvent>;

// Do the two events' order matter to what the program does?
bool conflict(const TracedEvent& a, const TracedEvent& b);

// Of a traced run; one that failed is told up to its failure. Empty: events were lost, or the run was parallel.
Trace trace_of(const record::RunRecord& run);

// The event under the name that directive files have for it. `run` is that of the trace.
class EventNames {
 public:
  explicit EventNames(const record::RunRecord& run);
  NamedEvent named(const TracedEvent& event) const;

 private:
  struct Place {
    std::string file;
    uint64_t offset = 0;
  };
  std::map<uint32_t, std::vector<uint32_t>> threads_;  // by ordinal: children from main on
  std::map<uint64_t, Place> places_;
};

}  // namespace snarl::explain
