// Whom each step of a run let go on. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/event.h"

namespace snarl::explain {

struct Wake {
  std::vector<uint32_t> threads;  // that could go on because of this step, and did: in that order
  bool nobody = false;            // a signal or broadcast, and no thread waited
};

// One for each event, which must be those of a serial run from its start: what came before them counts as nothing, so
// that nothing is said of nobody where `complete` is false.
//
// A signal wakes the first thread that is granted of those that waited at that moment (rule 6). Where a thread was
// stopped because it could not go on, it is the last step before its own that could free what it waited for.
std::vector<Wake> wakes_of(std::span<const Event> events, bool complete);

}  // namespace snarl::explain
