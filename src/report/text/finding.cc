#include "report/text/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/finding_texts.h"
#include "report/output_tail.h"
#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/cause_lines.h"
#include "report/text/code_lines.h"
#include "report/text/finding_words.h"
#include "report/text/location_text.h"
#include "report/text/misuse_words.h"
#include "report/text/one_line.h"
#include "report/text/paint.h"
#include "report/text/paragraphs.h"
#include "report/text/signal_name.h"
#include "report/text/table.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

constexpr size_t kMinWidth = 60;
constexpr size_t kRightPart = 47;  // where the right half of a line begins, if the left one leaves room
constexpr size_t kNearEnd = 40;    // rows: about what the table shows
constexpr uint64_t kNullPage = 4096;
constexpr int kSigbus = 7, kSigsegv = 11;

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class Report {
 public:
  // `finding` must outlive it, and be printable.
  Report(const Finding& finding, const TextOptions& options)
      : f_(finding), message_(message_of(finding)), width_(std::max(options.width, kMinWidth)), paint_(options.color) {}

  std::string text() {
    headline();
    !f_.deeds.empty() ? misuse() : is_stuck() ? deadlock() : failure();
    const bool output_first = failed(OutcomeKind::kExit) || failed(OutcomeKind::kWrongOutput);
    if (output_first) out_ += output_tail(f_, message_, width_);  // there it says what went wrong
    sentence();
    schedule();
    cause();
    out_ += code_lines(f_, width_);
    stacks();
    if (!output_first) out_ += output_tail(f_, message_, width_);
    commands();
    out_ +=
        paint_(Color::kBold, shortened("SUMMARY: snarl: " + printable(summary_of(f_)), std::max<size_t>(width_, 120))) +
        "\n";
    return std::move(out_);
  }

 private:
  bool failed(OutcomeKind outcome) const { return failed_by(f_, outcome); }

  // Two halves on one line, or on two if they don't fit.
  void halves(const std::string& left, const std::string& right, Color color) {
    out_ += paint_(color, shortened(left, width_));
    const size_t gap = columns(left) + 2 < kRightPart ? kRightPart - columns(left) : 2;
    const bool fits = columns(left) + gap + columns(right) <= width_;
    if (!right.empty()) out_ += (fits ? std::string(gap, ' ') + right : "\n  " + shortened(right, width_ - 2));
    out_ += "\n";
  }

  // "0.5 s"
  static std::string span_text(double seconds) {
    if (seconds >= 0.1) return fmt::format("{:.3g} s", seconds);
    return seconds >= 0.001 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} us", seconds * 1e6);
  }

  bool has_deadline() const { return f_.deadline.count > 0 && f_.deadline.nanoseconds > 0; }
  std::string waiter() const { return f_.deadline.alarm ? "an alarm" : thread_name(f_.deadline.thread); }

  // ", only if 0.5 s pass between pool.cc:12 and pool.cc:30"
  std::string condition() const {
    const FindingDeadline& d = f_.deadline;
    if (!has_deadline()) return "";
    const std::string from = d.set_at.known() ? place_text(d.set_at) : "the wait of " + waiter();
    const std::string to = d.other_at.known() ? place_text(d.other_at) : "the start of " + thread_name(d.other);
    const double seconds = static_cast<double>(d.nanoseconds) / 1e9;
    return fmt::format(", only if {} pass between {} and {}", span_text(seconds), from, to);
  }

  void deadline() {
    const FindingDeadline& d = f_.deadline;
    if (!has_deadline()) return;
    const std::string more = d.count > 1 ? fmt::format("; {} came so", counted(d.count, "deadline", "deadlines")) : "";
    const std::string text = fmt::format("In this schedule {}{} though {} could go on{}.", waiter(),
                                         d.alarm ? " comes" : " times out", thread_name(d.other), more);
    for (const std::string& line : wrapped(text, width_ - 2)) out_ += "  " + line + "\n";
  }

  // Nothing of it is cut off: the places are the point of it.
  void conditional_headline(const std::string& text, const std::string& rest) {
    std::string indent;
    for (const std::string& line : wrapped(text, width_ - 2)) {
      out_ += indent + paint_(Color::kRed, line) + "\n";
      indent = "  ";
    }
    out_ += "  " + shortened(rest, width_ - 2) + "\n";
  }

  void headline() {
    const std::string when = f_.schedules_before == 0
                                 ? "in the first schedule"
                                 : "after " + counted(f_.schedules_before, "schedule", "schedules");
    const std::string time = f_.seconds > 0 ? ", " + duration(f_.seconds) : "";  // not of a recorded one
    const std::string found = when + time, only = condition();
    const std::string origin = fmt::format("policy {}  seed {:#x}:{}", f_.policy, f_.key.seed, f_.key.index);
    if (only.empty())
      halves(upper(headline_of(f_)) + " " + found, origin, Color::kRed);
    else
      conditional_headline(upper(headline_of(f_)) + only, found + "  " + origin);
    deadline();
    const std::string doubt = f_.doubt.empty() ? "it did not fail so in a fresh process" : f_.doubt;
    if (!f_.confirmed) out_ += paint_(Color::kYellow, "  NOT CONFIRMED: " + doubt) + "\n";
  }

  // Nobody goes on: what matters is who waits for what.
  bool is_stuck() const {
    return failed(OutcomeKind::kDeadlock) || failed(OutcomeKind::kHang) || failed(OutcomeKind::kLivelock);
  }

  // The sentence, then both places.
  void misuse() {
    for (const std::string& line : wrapped(message_, width_ - 2)) out_ += "  " + line + "\n";
    const MisuseWords words(f_);
    for (const FindingDeed& deed : f_.deeds) {
      const std::string stack = stack_lines(deed.stack, width_);
      const std::string at = stack.empty() && deed.place.known() ? ", at " + place_and_function(deed.place) : ":";
      out_ += "  " + shortened(words.deed(deed) + at, width_ - 2) + "\n" + stack;
    }
  }

  void deadlock() {
    const char* spins =
        "All who can run only spin: they loop, yield, time out or fail to get a lock; nothing else happens.";
    if (failed(OutcomeKind::kLivelock))
      for (const std::string& line : wrapped(spins, width_ - 2)) out_ += "  " + line + "\n";
    out_ += wait_lines(f_, live_threads(f_), width_);
    out_ += deadlock_sentence(f_, width_);
  }

  // What went wrong, where, and what the others were doing.
  void failure() {
    for (const std::string& line : wrapped(what(), width_ - 2)) out_ += "  " + line + "\n";
    Threads others;
    for (const FindingThread* thread : live_threads(f_))
      thread->state == ThreadState::kFailed ? failing_thread(*thread) : others.push_back(thread);
    const bool timeout = failed(OutcomeKind::kTimeout);
    if (!others.empty() && !timeout) out_ += "  Meanwhile:\n";
    if (!others.empty())
      out_ += timeout ? wait_lines(f_, others, width_) : indented(wait_lines(f_, others, width_ - 2));
  }

  std::string what() const {
    if (!message_.empty()) return message_;
    if (failed(OutcomeKind::kTimeout)) return "The run did not end in time.";
    if (failed(OutcomeKind::kStepBudget)) return fmt::format("The run did not end within {} steps.", grouped(f_.steps));
    if (!failed(OutcomeKind::kSignal)) return "";
    const bool access = f_.signal == kSigsegv || f_.signal == kSigbus;
    if (!access) return fmt::format("The program was ended by {}.", signal_name(f_.signal));
    const char* hint = f_.fault_address == 0          ? " (a null pointer)"
                       : f_.fault_address < kNullPage ? " (close to a null pointer)"
                                                      : "";
    return fmt::format("Invalid access to address {:#x}{}.", f_.fault_address, hint);
  }

  void failing_thread(const FindingThread& thread) {
    std::string created;
    if (thread.creator != kNobody) created = ", created by " + thread_name(thread.creator);
    if (thread.creator != kNobody && thread.created_at.known()) created += " at " + place_text(thread.created_at);
    const std::string stack = stack_lines(thread.stack, width_);
    const std::string at = !stack.empty()         ? ":"
                           : thread.place.known() ? ", at " + place_and_function(thread.place)
                                                  : "";
    out_ += "  " + shortened("in " + thread_title(thread) + created + at, width_ - 2) + "\n" + stack;
  }

  void schedule() {
    const uint64_t before = f_.switches_before_minimizing;
    const std::string left =
        (before > 0 ? "Shortest schedule: " : "Schedule: ") + counted(f_.switches, "switch", "switches") +
        (before > 0 ? fmt::format(" (was {})", grouped(before)) : ", " + counted(f_.steps, "step", "steps"));
    const size_t gap = std::max(columns(left) + 3, kRightPart);
    const std::string line = one_line_schedule(f_.decisions, f_.steps, width_ - std::min(gap, width_ - 40));
    halves(left, f_.decisions.empty() ? "" : line, Color::kBold);
    out_ += schedule_table(f_, width_, paint_);
    legend();
  }

  // What the letters stand for.
  void legend() {
    std::string text;
    for (uint32_t i = 0; i < f_.objects.size(); ++i) {
      const FindingObject& object = f_.objects[i];
      if (!object.letter || !is_mentioned(i)) continue;
      const std::string place = place_text(object.first);
      const std::string first = object.kind == ObjectKind::kMutex ? "first locked at " : "first used at ";
      text += (text.empty() ? "" : ", ") + noun_of(object.kind) + " " + object.name;
      if (object.block.known)
        text += " (" + block_text(object.block) + ")";
      else if (!place.empty())
        text += " (" + first + place + ")";
    }
    for (const std::string& line : wrapped(text, width_ - 2)) out_ += " " + line + "\n";
  }

  // A program may have thousands of objects: only those near the end, or of a waiting thread, are worth a line.
  bool is_mentioned(uint32_t object) const {
    for (const FindingThread& t : f_.threads) {
      const bool waits = t.doing == Doing::kWaits && t.act.object == object;
      if (waits || std::ranges::find(t.holds, object, &FindingHeld::object) != t.holds.end()) return true;
    }
    const size_t near_end = f_.rows.size() - std::min(f_.rows.size(), kNearEnd);
    return std::any_of(f_.rows.begin() + static_cast<std::ptrdiff_t>(near_end), f_.rows.end(),
                       [&](const FindingRow& row) { return names(row, object); });
  }

  // A condition wait names the condition, the lock that follows it the mutex.
  static bool names(const FindingRow& row, uint32_t object) {
    if (row.kind == RowKind::kStep) return object_named(row.act) == object;
    const bool waits = row.kind == RowKind::kNeverGranted || row.reason == Reason::kBlocked;
    return waits && !row.act.kind_only && row.act.object == object;
  }

  void sentence() {
    std::string indent;
    for (const std::string& line : wrapped(sentence_of(f_), width_ - 2)) {
      out_ += indent + paint_(Color::kBold, line) + "\n";
      indent = "  ";
    }
  }

  void cause() {
    if (f_.cause.known) out_ += cause_lines(f_, width_, paint_);
  }

  void stacks() {
    Threads threads;
    for (const FindingThread* thread : live_threads(f_))
      if (thread->state != ThreadState::kFailed) threads.push_back(thread);
    if (is_stuck() || failed(OutcomeKind::kTimeout) || failed(OutcomeKind::kStepBudget))
      out_ += all_stacks(f_, threads, width_);
  }

  void commands() {
    std::string line;
    for (const FindingCommand& c : f_.commands) {
      if (!line.empty()) line = padded(line, columns(line) + 6);
      line += c.what + ": " + c.command;
    }
    if (!line.empty()) out_ += line + "\n";
    if (!f_.folder.empty()) out_ += "Files:  " + f_.folder + "\n";
  }

  static std::string indented(const std::string& lines) {
    std::string text = lines.empty() ? "" : "  ";
    for (size_t i = 0; i < lines.size(); ++i) {
      text += lines[i];
      if (lines[i] == '\n' && i + 1 < lines.size()) text += "  ";
    }
    return text;
  }

  const Finding& f_;
  std::string message_;
  size_t width_;
  Paint paint_;
  std::string out_;
};

}  // namespace

std::string finding_text(const Finding& finding, const TextOptions& options) {
  const Finding cleaned = printable(finding);
  return Report(cleaned, options).text();
}

}  // namespace snarl::report
