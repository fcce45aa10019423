#include "report/text/thread_words.h"

#include <fmt/format.h>

#include "report/thread_name.h"

namespace snarl::report {
namespace {

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

bool is_pending(Doing doing) {
  return doing == Doing::kPending || doing == Doing::kWaits || doing == Doing::kSpins || doing == Doing::kLoops;
}

}  // namespace

std::string thread_title(const FindingThread& t) {
  const std::string name = thread_name(t.ordinal);
  return t.label.empty() || t.label == name ? name : name + " " + t.label;
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

std::string pending_text(const FindingThread& t, const ActWords& words) {
  return is_pending(t.doing) ? words.text(t.act, t.place) : "";
}

std::string awaited_text(const FindingThread& t, const ActWords& words) {
  return t.doing == Doing::kWaits ? words.target(t.act) : "";
}

}  // namespace snarl::report
