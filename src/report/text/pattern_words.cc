#include "report/text/pattern_words.h"

#include <fmt/format.h>

#include <vector>

#include "report/text/location_text.h"
#include "report/text/row_words.h"
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
        m_.size() > 2 ? fmt::format("{} had read {} before that, and not again ({})", who(1), read(2), where(m_[2]))
                      : fmt::format("what {} had tested before, this build does not show", who(1));
    return fmt::format(
        "Lost wake-up: {} ({}) woke nobody, as {} began to wait only afterwards ({}), and nothing else wakes it; {}.",
        sent(0), where(m_[0]), who(1), where(m_[1]), tested);
  }

  std::string wake_up_taken() const {
    return fmt::format(
        "Wake-up taken by another: {} ({}) woke one thread only, and that was {} ({}); {} had been waiting, too ({}), "
        "and nothing else wakes it.",
        sent(0), where(m_[0]), who(1), where(m_[1]), who(2), where(m_[2]));
  }

  std::string overtaken() const {
    return fmt::format(
        "Overtaken after the wake-up: {} ({}) woke {}, but {} took the mutex first ({}); {} came back from its wait "
        "({}) to what {} had left, did not wait again, and failed.",
        sent(1), where(m_[1]), who(0), who(2), where(m_[2]), who(0), where(m_[0]), who(2));
  }

  std::string aba() const {
    return fmt::format(
        "ABA: {} read {} ({}); {} ({}), and {} ({}); so {}'s compare-exchange ({}) "
        "succeeded, though what it relied on was no longer so.",
        who(0), read(0), where(m_[0]), change(1, "changed it"), where(m_[1]), change(2, "changed it back"),
        where(m_[2]), who(3), where(m_[3]));
  }

  std::string atomicity() const {
    return fmt::format("Atomicity violation: {} comes between {} and {}.", event(1), event(0), event(2));
  }

  std::string double_take() const {
    return fmt::format(
        "Double take: {} ({}) and {} ({}) both read {} before either wrote it; then {} wrote {} ({}), and {} wrote {} "
        "over that ({}).",
        who(0), where(m_[0]), who(1), where(m_[1]), read(0), who(2), written(2), where(m_[2]), who(3), written(3),
        where(m_[3]));
  }

  std::string missed_recheck() const {
    return fmt::format(
        "Missed re-check: {} read {} ({}), {} then changed it ({}), and {} took {} ({}) and went on without reading it "
        "again.",
        who(0), read(0), where(m_[0]), who(1), where(m_[1]), who(2), object(2), where(m_[2]));
  }

  std::string published_early() const {
    return fmt::format(
        "Published before it was ready: {} wrote {} ({}), {} saw that ({}) and read {} ({}), and {} writes {} only "
        "afterwards ({}).",
        who(0), written(0), where(m_[0]), who(1), where(m_[1]), read(2), where(m_[2]), who(3), object(3), where(m_[3]));
  }

  std::string made_anew() const {
    const bool waits = m_[0].act.kind == OpKind::kWait;
    return fmt::format("Initialised while in use: {} {} {} ({}), and {} initialised it all the same ({}).", who(0),
                       waits ? "waits on" : "holds", waits ? object(0) : taken(0), where(m_[0]), who(1), where(m_[1]));
  }

  // Set too late is told as such; whatever else the two do, their order is the point.
  std::string order() const {
    const bool too_late =
        is_memory_read(m_[0].act.kind) && is_memory_write(m_[1].act.kind) && m_[0].act.object == m_[1].act.object;
    if (too_late)
      return fmt::format("Order violation: {} read {} ({}) before {} wrote it ({}).", who(0), read(0), where(m_[0]),
                         who(1), where(m_[1]));
    return plain_order();
  }

  std::string plain_order() const { return fmt::format("Order violation: {} comes before {}.", event(0), event(1)); }

 private:
  // A lock, or the mutex that a wait took again.
  std::string taken(size_t i) const {
    const FindingAct& act = m_[i].act;
    return words_.name(act.kind == OpKind::kReacquire && act.second != kNoObject ? act.second : act.object);
  }
  // "main's broadcast of ready"
  std::string sent(size_t i) const {
    const OpKind kind = m_[i].act.kind;
    const char* what = kind == OpKind::kBroadcast ? "broadcast" : kind == OpKind::kFutexWake ? "wake" : "signal";
    return fmt::format("{}'s {} of {}", who(i), what, object(i));
  }
  // "T2 changed it to 3"
  std::string change(size_t i, const char* what) const {
    return fmt::format("{} {}{}", who(i), what, valued(m_[i].values.has_left, m_[i].values.left, " to "));
  }
  // "done = 1", or "done"
  std::string read(size_t i) const { return object(i) + valued(m_[i].values.has_was, m_[i].values.was, " = "); }
  std::string written(size_t i) const { return object(i) + valued(m_[i].values.has_left, m_[i].values.left, " = "); }
  static std::string valued(bool known, uint64_t value, const char* before) {
    return known ? before + number_text(value) : "";
  }

  const std::vector<FindingMoment>& m_;
  const ActWords& words_;
};

size_t moments_of(PatternKind kind) {
  switch (kind) {
    case PatternKind::kAbba:
    case PatternKind::kDoubleTake:
    case PatternKind::kPublishedEarly:
    case PatternKind::kAba: return 4;
    case PatternKind::kLockCycle: return 6;
    case PatternKind::kWakeUpTaken:
    case PatternKind::kMissedRecheck:
    case PatternKind::kOvertaken:
    case PatternKind::kAtomicity: return 3;
    case PatternKind::kLostWakeUp:
    case PatternKind::kMadeAnew:
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
    case PatternKind::kWakeUpTaken: return sentence.wake_up_taken();
    case PatternKind::kDoubleTake: return sentence.double_take();
    case PatternKind::kMissedRecheck: return sentence.missed_recheck();
    case PatternKind::kPublishedEarly: return sentence.published_early();
    case PatternKind::kMadeAnew: return sentence.made_anew();
    default: return "";
  }
}

}  // namespace snarl::report
