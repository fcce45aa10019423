#include "report/text/thread_words.h"

#include <fmt/format.h>

#include "report/text/thread_name.h"

namespace snarl::report {
namespace {

std::string name_or_nothing(uint32_t ordinal) { return ordinal == kNobody ? "" : thread_name(ordinal); }

const char* state_text(ThreadState state) {
  switch (state) {
    case ThreadState::kRunning: return "running";
    case ThreadState::kBlocked: return "blocked";
    case ThreadState::kReady: return "ready";
    case ThreadState::kFailed: return "failed";
    case ThreadState::kEnded: return "ended";
    case ThreadState::kSpinning: return "spinning";
    case ThreadState::kUnknown: break;
  }
  return "unknown";
}

// " (1 of 3 has arrived)"
std::string arrived_text(const FindingThread& t) {
  if (t.expected == 0) return "";
  return fmt::format(" ({} of {} {} arrived)", t.arrived, t.expected, t.arrived == 1 ? "has" : "have");
}

std::string holder_text(const FindingThread& t) {
  switch (t.holder) {
    case Holder::kUnnamed: return " (held)";
    case Holder::kUnnamedWriter: return " (held for writing)";
    case Holder::kWriterAhead: return ", behind the writer " + thread_name(t.held_by);
    case Holder::kOnceRunner: return ", run by " + thread_name(t.held_by);
    case Holder::kOwner: break;
  }
  return "";
}

std::string doing_text(const FindingThread& t, const ActWords& words) {
  switch (t.doing) {
    case Doing::kWaits: return words.waits(t.act) + arrived_text(t) + holder_text(t);
    case Doing::kSpins: return "spins: " + words.text(t.act, t.place);
    case Doing::kLoops: return "loops for ever";
    case Doing::kHadTurn: return "had the turn";
    case Doing::kComputes: return "had the turn, computes or loops";
    case Doing::kLastStep: return "last step: " + words.text(t.act, t.place);
    case Doing::kHadTurnAfter: return "had the turn, last step: " + words.text(t.act, t.place);
    case Doing::kStoppedAt: return "stopped at " + verb_of(t.act.kind);
    case Doing::kNotStarted: return "had not started";
    case Doing::kNothing:
    case Doing::kPending: break;
  }
  return "";
}

bool is_pending(Doing doing) {
  return doing == Doing::kPending || doing == Doing::kWaits || doing == Doing::kSpins || doing == Doing::kLoops;
}

DocumentHeld told(const FindingHeld& held, const ActWords& words) {
  const char* how = held.how == Holding::kReading ? "reading" : held.how == Holding::kWriting ? "writing" : "";
  return {words.name(held.object), held.place, held.stack, how};
}

}  // namespace

DocumentThread told(const FindingThread& t, const ActWords& words) {
  DocumentThread result{.ordinal = t.ordinal, .name = thread_name(t.ordinal)};
  result.label = t.label;
  result.state = state_text(t.state);
  if (is_pending(t.doing)) result.pending = words.text(t.act, t.place);
  result.waits = doing_text(t, words);
  if (t.doing == Doing::kWaits) result.waits_for = words.target(t.act);
  result.held_by = name_or_nothing(t.held_by);
  for (const FindingHeld& held : t.holds) result.holds.push_back(told(held, words));
  result.place = t.place;
  result.stack = t.stack;
  result.creator = name_or_nothing(t.creator);
  result.created_at = t.created_at;
  result.steps = t.steps;
  return result;
}

}  // namespace snarl::report
