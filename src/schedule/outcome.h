// How a run ended.
#pragma once

#include <cstdint>

namespace snarl {

// Append only: part of the wire and of summary.json (by name).
enum class OutcomeKind : uint8_t {
  kNone = 0,     // not ended, or ended without telling (killed from outside)
  kOk,           // exit code 0
  kExit,         // another exit code
  kSignal,       // ended by a signal
  kAssert,       // an assertion failed (its text is kept)
  kDeadlock,     // no thread can ever go on
  kStepBudget,   // more steps than allowed, and no end in a fair continuation: no verdict about the program
  kTimeout,      // more time than allowed
  kDivergence,   // a replay met another program state than the recording
  kRefused,      // the runtime can't control this program (the message says why)
  kHang,         // every thread waits for something outside the program, which did not come
  kLivelock,     // every thread that can run only spins: they yield, time out and fail to get locks, without end
  kCheck,        // a check of the test failed (library mode; its text is kept)
  kException,    // an exception left the test's body (library mode; what it says is kept)
  kWrongOutput,  // it ended as it should, but what it wrote is not what the user expects
  kCount,
};

const char* name_of(OutcomeKind kind);
OutcomeKind outcome_kind_named(const char* name);

// Does the run's message say why?
constexpr bool has_reason(OutcomeKind kind) {
  return kind == OutcomeKind::kAssert || kind == OutcomeKind::kCheck || kind == OutcomeKind::kException;
}

// Does this outcome mean that the tested program is wrong?
constexpr bool is_failure(OutcomeKind kind) {
  return kind == OutcomeKind::kExit || kind == OutcomeKind::kSignal || kind == OutcomeKind::kAssert ||
         kind == OutcomeKind::kDeadlock || kind == OutcomeKind::kHang || kind == OutcomeKind::kLivelock ||
         kind == OutcomeKind::kTimeout || kind == OutcomeKind::kCheck || kind == OutcomeKind::kException ||
         kind == OutcomeKind::kWrongOutput;
}

}  // namespace snarl
