#include "report/text/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "report/json_archive.h"
#include "report/output_tail.h"
#include "report/printable.h"
#include "report/text/location_text.h"
#include "report/text/one_line.h"
#include "report/text/paint.h"
#include "report/text/paragraphs.h"
#include "report/text/table.h"

namespace snarl::report {
namespace {

constexpr size_t kMinWidth = 60;
constexpr size_t kRightPart = 47;  // where the right half of a line begins, if the left one leaves room
constexpr size_t kNearEnd = 40;    // rows: about what the table shows
constexpr uint64_t kNullPage = 4096;

bool has_lines(const std::string& key) { return key == "message" || key == "out_tail" || key == "err_tail"; }

// Cleans every text at once, so that nothing below has to remember it.
void clean(json& j, Newlines newlines = Newlines::kEscape) {
  if (j.is_string()) j = printable(j.get_ref<const std::string&>(), newlines);
  if (j.is_array())
    for (json& item : j) clean(item, newlines);
  if (j.is_object())
    for (auto& [key, value] : j.items()) clean(value, has_lines(key) ? Newlines::kKeep : Newlines::kEscape);
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class Report {
 public:
  Report(const FindingDocument& finding, const TextOptions& options)
      : f_(finding), width_(std::max(options.width, kMinWidth)), paint_(options.color) {}

  std::string text() {
    headline();
    !f_.deeds.empty() ? misuse() : is_stuck() ? deadlock() : failure();
    const bool output_first = f_.kind == "exit" || f_.kind == "wrong_output";
    if (output_first) out_ += output_tail(f_, width_);  // there it says what went wrong
    schedule();
    cause();
    stacks();
    if (!output_first) out_ += output_tail(f_, width_);
    commands();
    out_ += paint_(Color::kBold, shortened("SUMMARY: snarl: " + f_.summary, std::max<size_t>(width_, 120))) + "\n";
    return std::move(out_);
  }

 private:
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

  // ", only if 0.5 s pass between pool.cc:12 and pool.cc:30"
  std::string condition() const {
    const DocumentDeadline& d = f_.deadline;
    if (d.seconds <= 0) return "";
    const std::string from = d.set_at.known() ? place_text(d.set_at) : "the wait of " + d.who;
    const std::string to = d.other_at.known() ? place_text(d.other_at) : "the start of " + d.other;
    return fmt::format(", only if {} pass between {} and {}", span_text(d.seconds), from, to);
  }

  void deadline() {
    const DocumentDeadline& d = f_.deadline;
    if (d.seconds <= 0) return;
    const bool alarm = d.who == "an alarm";
    const std::string more = d.count > 1 ? fmt::format("; {} came so", counted(d.count, "deadline", "deadlines")) : "";
    const std::string text = fmt::format("In this schedule {}{} though {} could go on{}.", d.who,
                                         alarm ? " comes" : " times out", d.other, more);
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
    const std::string found = when + ", " + duration(f_.seconds), only = condition();
    const std::string origin = fmt::format("policy {}  seed {:#x}:{}", f_.policy, f_.key.seed, f_.key.index);
    if (only.empty())
      halves(upper(f_.headline) + " " + found, origin, Color::kRed);
    else
      conditional_headline(upper(f_.headline) + only, found + "  " + origin);
    deadline();
    const std::string doubt = f_.doubt.empty() ? "it did not fail so in a fresh process" : f_.doubt;
    if (!f_.confirmed) out_ += paint_(Color::kYellow, "  NOT CONFIRMED: " + doubt) + "\n";
  }

  // Nobody goes on: what matters is who waits for what.
  bool is_stuck() const { return f_.kind == "deadlock" || f_.kind == "hang" || f_.kind == "livelock"; }

  // The sentence, then both places.
  void misuse() {
    for (const std::string& line : wrapped(f_.message, width_ - 2)) out_ += "  " + line + "\n";
    for (const DocumentDeed& deed : f_.deeds) {
      const std::string stack = stack_lines(deed.stack, width_);
      const std::string at = stack.empty() && deed.place.known() ? ", at " + place_and_function(deed.place) : ":";
      out_ += "  " + shortened(deed.text + at, width_ - 2) + "\n" + stack;
    }
  }

  void deadlock() {
    const char* spins =
        "All who can run only spin: they loop, yield, time out or fail to get a lock; nothing else happens.";
    if (f_.kind == "livelock")
      for (const std::string& line : wrapped(spins, width_ - 2)) out_ += "  " + line + "\n";
    out_ += wait_lines(f_, live_threads(f_), width_);
    out_ += deadlock_sentence(f_, width_);
  }

  // What went wrong, where, and what the others were doing.
  void failure() {
    for (const std::string& line : wrapped(what(), width_ - 2)) out_ += "  " + line + "\n";
    Threads others;
    for (const DocumentThread* thread : live_threads(f_))
      thread->state == "failed" ? failing_thread(*thread) : others.push_back(thread);
    const bool timeout = f_.kind == "timeout";
    if (!others.empty() && !timeout) out_ += "  Meanwhile:\n";
    if (!others.empty())
      out_ += timeout ? wait_lines(f_, others, width_) : indented(wait_lines(f_, others, width_ - 2));
  }

  std::string what() const {
    if (!f_.message.empty()) return f_.message;
    if (f_.kind == "timeout") return "The run did not end in time.";
    if (f_.kind == "step_budget") return fmt::format("The run did not end within {} steps.", grouped(f_.steps));
    if (f_.kind != "signal") return "";
    const bool access = f_.signal == "SIGSEGV" || f_.signal == "SIGBUS";
    if (!access) return fmt::format("The program was ended by {}.", f_.signal);
    const char* hint = f_.fault_address == 0          ? " (a null pointer)"
                       : f_.fault_address < kNullPage ? " (close to a null pointer)"
                                                      : "";
    return fmt::format("Invalid access to address {:#x}{}.", f_.fault_address, hint);
  }

  void failing_thread(const DocumentThread& thread) {
    std::string created;
    if (!thread.creator.empty()) created = fmt::format(", created by {}", thread.creator);
    if (!thread.creator.empty() && thread.created_at.known()) created += " at " + place_text(thread.created_at);
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
    for (const DocumentObject& object : f_.objects) {
      if (!object.letter || !is_mentioned(object.name)) continue;
      const std::string place = place_text(object.first);
      const std::string first = object.kind == "mutex" ? "first locked at " : "first used at ";
      text += (text.empty() ? "" : ", ") + noun_of(object.kind) + " " + object.name;
      if (!object.about.empty())
        text += " (" + printable(object.about) + ")";
      else if (!place.empty())
        text += " (" + first + place + ")";
    }
    for (const std::string& line : wrapped(text, width_ - 2)) out_ += " " + line + "\n";
  }

  // A program may have thousands of objects: only those near the end, or of a waiting thread, are worth a line.
  bool is_mentioned(const std::string& name) const {
    for (const DocumentThread& t : f_.threads)
      if (t.waits_for == name || std::ranges::find(t.holds, name, &DocumentHeld::object) != t.holds.end()) return true;
    const size_t near_end = f_.rows.size() - std::min(f_.rows.size(), kNearEnd);
    return std::any_of(f_.rows.begin() + static_cast<std::ptrdiff_t>(near_end), f_.rows.end(),
                       [&](const DocumentRow& row) { return row.text.ends_with(" " + name); });
  }

  void cause() {
    if (f_.cause.empty()) return;
    out_ += f_.depth > 0 ? fmt::format("Cause (depth {}):\n", f_.depth) : "Cause:\n";
    for (const std::string& line : f_.cause) out_ += "  " + shortened(line, width_ - 2) + "\n";
  }

  void stacks() {
    Threads threads;
    for (const DocumentThread* thread : live_threads(f_))
      if (thread->state != "failed") threads.push_back(thread);
    if (is_stuck() || f_.kind == "timeout" || f_.kind == "step_budget") out_ += all_stacks(threads, width_);
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

  const FindingDocument& f_;
  size_t width_;
  Paint paint_;
  std::string out_;
};

}  // namespace

Expected<std::string> finding_text(const json& finding, const TextOptions& options) {
  json cleaned = finding;
  clean(cleaned);
  const Expected<FindingDocument> read = finding_from_json(cleaned);
  if (!read) return read.error();
  return Report(*read, options).text();
}

std::string finding_text(const FindingDocument& finding, const TextOptions& options) {
  return *finding_text(to_json(finding), options);
}

}  // namespace snarl::report
