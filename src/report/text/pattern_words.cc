#include "report/text/pattern_words.h"

#include <fmt/format.h>

#include <vector>

#include "report/text/location_text.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

// "step 5, bank.cc:21"
std::string where(const FindingMoment& m) {
  const std::string place = place_text(m.place), step = m.step == 0 ? "" : fmt::format("step {}", m.step);
  return step + (step.empty() || place.empty() ? "" : ", ") + place;
}

class Sentence {
 public:
  Sentence(const FindingPattern& pattern, const ActWords& words) : m_(pattern.moments), words_(words) {}

  std::string who(size_t i) const { return thread_name(m_[i].thread); }
  // "T1 lock A (step 5, bank.cc:21)"
  std::string event(size_t i) const {
    return fmt::format("{} {} ({})", who(i), words_.text(m_[i].act, m_[i].place), where(m_[i]));
  }
  std::string object(size_t i) const { return words_.name(m_[i].act.object); }

  std::string abba() const {
    return fmt::format(
        "Locks in opposite orders (ABBA): {} took {} ({}) and waits for {} ({}); {} took {} ({}) and waits for {} "
        "({}).",
        who(1), taken(0), where(m_[0]), object(1), where(m_[1]), who(3), taken(2), where(m_[2]), object(3),
        where(m_[3]));
  }

  std::string cycle() const {
    std::string text = fmt::format("A cycle of {} locks:", m_.size() / 2);
    for (size_t i = 0; i + 1 < m_.size(); i += 2)
      text += fmt::format("{} {} has {} and waits for {}", i == 0 ? "" : ";", who(i + 1), taken(i), object(i + 1));
    return text + ".";
  }

  std::string lost_wake_up() const {
    const std::string tested =
        m_.size() > 2 ? fmt::format("; it had read {} before ({})", object(2), where(m_[2])) : "";
    return fmt::format(
        "Lost wake-up: {}'s {} of {} ({}) woke nobody, as {} began to wait only afterwards ({}), and nothing else "
        "wakes "
        "it{}.",
        who(0), m_[0].act.kind == OpKind::kBroadcast ? "broadcast" : "signal", object(0), where(m_[0]), who(1),
        where(m_[1]), tested);
  }

  std::string overtaken() const {
    return fmt::format(
        "Overtaken after the wake-up: {} ({}) woke {}, but {} took the mutex first ({}); {} came back from its wait "
        "({}) "
        "to what {} had left, and failed.",
        event_of_signal(1), where(m_[1]), who(0), who(2), where(m_[2]), who(0), where(m_[0]), who(2));
  }

  std::string aba() const {
    return fmt::format(
        "ABA: {} was read by {} ({}), changed ({}) and changed back ({}) by others; the exchange of {} ({}) succeeded "
        "all "
        "the same.",
        object(0), who(0), where(m_[0]), where(m_[1]), where(m_[2]), who(3), where(m_[3]));
  }

  std::string atomicity() const {
    return fmt::format("Atomicity violation: {} comes between {} and {}.", event(1), event(0), event(2));
  }

  std::string order() const { return fmt::format("Order violation: {} comes before {}.", event(0), event(1)); }

 private:
  // A lock, or the mutex that a wait took again.
  std::string taken(size_t i) const {
    const FindingAct& act = m_[i].act;
    return words_.name(act.kind == OpKind::kReacquire && act.second != kNoObject ? act.second : act.object);
  }
  std::string event_of_signal(size_t i) const {
    return fmt::format("{}'s {} of {}", who(i), m_[i].act.kind == OpKind::kBroadcast ? "broadcast" : "signal",
                       object(i));
  }

  const std::vector<FindingMoment>& m_;
  const ActWords& words_;
};

size_t moments_of(PatternKind kind) {
  switch (kind) {
    case PatternKind::kAbba:
    case PatternKind::kAba: return 4;
    case PatternKind::kLockCycle: return 6;
    case PatternKind::kOvertaken:
    case PatternKind::kAtomicity: return 3;
    case PatternKind::kLostWakeUp:
    case PatternKind::kOrder: return 2;
    default: return 0;
  }
}

}  // namespace

std::string pattern_sentence(const FindingPattern& pattern, const ActWords& words) {
  if (pattern.moments.empty() || pattern.moments.size() < moments_of(pattern.kind)) return "";
  const Sentence sentence(pattern, words);
  switch (pattern.kind) {
    case PatternKind::kAbba: return sentence.abba();
    case PatternKind::kLockCycle: return sentence.cycle();
    case PatternKind::kLostWakeUp: return sentence.lost_wake_up();
    case PatternKind::kOvertaken: return sentence.overtaken();
    case PatternKind::kAba: return sentence.aba();
    case PatternKind::kAtomicity: return sentence.atomicity();
    case PatternKind::kOrder: return sentence.order();
    default: return "";
  }
}

}  // namespace snarl::report
