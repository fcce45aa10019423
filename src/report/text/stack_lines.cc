#include <fmt/format.h>

#include <algorithm>

#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/text/paragraphs.h"
#include "report/text/thread_words.h"

namespace snarl::report {
namespace {

constexpr size_t kMaxFrames = 12;  // per stack; report.json has them all
constexpr size_t kMaxStacks = 6;
constexpr size_t kMaxFunction = 40;  // columns

bool has_user_frame(const Stack& stack) {
  return std::ranges::any_of(stack, [](const Location& l) { return !l.system; });
}

// Without the system's frames at both ends.
Stack user_part(const Stack& stack) {
  if (!has_user_frame(stack)) return stack;
  const auto user = [](const Location& l) { return !l.system; };
  const auto first = std::ranges::find_if(stack, user);
  const auto last = std::find_if(stack.rbegin(), stack.rend(), user).base();
  return {first, last};
}

size_t function_width(const Stack& stack, size_t width) {
  size_t longest = 0;
  const bool all = !has_user_frame(stack);
  for (const Location& l : stack)
    if (all || !l.system) longest = std::max(longest, columns(function_text(l)));
  return std::min({longest, kMaxFunction, width / 2 - 10});
}

std::string frame_line(size_t number, const Location& frame, size_t function_columns, size_t width) {
  const std::string function = padded(shortened(function_text(frame), function_columns), function_columns);
  const std::string head = fmt::format("    #{} {}   ", number, function);
  const std::string path = shortened(path_text(frame), width - columns(head));
  return (path.empty() ? head.substr(0, head.find_last_not_of(' ') + 1) : head + path) + "\n";
}

std::string title_line(const std::string& title, size_t width) { return "  " + shortened(title, width - 2) + "\n"; }

// One frame is what wait_lines shows already.
bool says_more(const Stack& stack) { return std::ranges::count(stack, false, &Location::system) > 1; }

// Taken by the same call of the same function that waits now: the line of the thread says where.
bool same_callers(const Stack& a, const Stack& b) {
  const Stack x = user_part(a), y = user_part(b);
  const auto same = [](const Location& l, const Location& m) {
    return l.function == m.function && l.file == m.file && l.line == m.line;
  };
  return !x.empty() && !y.empty() && x[0].function == y[0].function &&
         std::equal(x.begin() + 1, x.end(), y.begin() + 1, y.end(), same);
}

std::string stacks_of(const FindingThread& thread, const ActWords& words, size_t width) {
  std::string text;
  const std::string doing = doing_text(thread, words);
  const std::string what = doing.empty() ? "is at" : doing + ", at";
  if (says_more(thread.stack))
    text += title_line(thread_title(thread) + " " + what, width) + stack_lines(thread.stack, width);
  for (const FindingHeld& held : thread.holds)
    if (says_more(held.stack) && !same_callers(held.stack, thread.stack))
      text += title_line(thread_title(thread) + " holds " + words.name(held.object) + ", taken at", width) +
              stack_lines(held.stack, width);
  return text;
}

}  // namespace

std::string stack_lines(const Stack& stack, size_t width) {
  const Stack frames = user_part(stack);
  const bool skip_system = has_user_frame(frames);
  const size_t function_columns = function_width(frames, width);
  std::string text;
  size_t number = 0, hidden = 0;
  for (const Location& frame : frames) {
    if (number == kMaxFrames) return text + fmt::format("    ... {} more\n", frames.size() - number - hidden);
    if (skip_system && frame.system) {
      ++hidden;
      continue;
    }
    text += frame_line(number++, frame, function_columns, width);
  }
  return text;
}

std::string all_stacks(const Finding& finding, const Threads& threads, size_t width) {
  const ActWords words(finding.objects);
  std::string text;
  size_t shown = 0;
  for (const FindingThread* thread : threads) {
    const std::string stacks = stacks_of(*thread, words, width);
    if (stacks.empty() || ++shown > kMaxStacks) continue;
    text += stacks;
  }
  if (shown > kMaxStacks) text += fmt::format("  ... and {} more threads (see report.json)\n", shown - kMaxStacks);
  return text.empty() ? "" : "Stacks:\n" + text;
}

}  // namespace snarl::report
