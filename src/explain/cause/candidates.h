// Single orders in a failing run that its cause may consist of: "this event of one thread before that one of another".
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "explain/cause/trace.h"

namespace snarl::explain {

struct Candidate {
  uint32_t source = 0, target = 0;  // events of the failing trace; the source comes first
  uint32_t rank = 0;                // the smaller, the better it explains
};

constexpr size_t kMostCandidates = 600;

enum class Scope : uint8_t {
  kCalls,  // orders of calls, and of points after them that the failing run passed
  kAll,    // also starts of threads, and points after calls at which a thread stood when the run failed
};

// The best ones, best first. Events of which others can't see anything rank behind those that conflict.
std::vector<Candidate> candidates_of(const Trace& failed, Scope scope);

}  // namespace snarl::explain
