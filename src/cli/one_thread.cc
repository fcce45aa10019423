#include "cli/one_thread.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/printable.h"

namespace snarl::cli {
namespace {

constexpr int kNothingToTest = 4;
constexpr size_t kLastLines = 5;

std::string last_lines(const std::string& text) {
  size_t at = text.size();
  while (at > 0 && text[at - 1] == '\n') --at;
  const std::string whole = text.substr(0, at);
  for (size_t lines = 0; at > 0; --at)
    if (text[at - 1] == '\n' && ++lines == kLastLines) break;
  return whole.substr(std::min(at, whole.size()));
}

// It failed by itself: what it says is the reason, and not how many threads it had.
Error own_failure(const explore::Target& target, const explore::OwnEnd& end) {
  const std::string said = last_lines(end.err.empty() ? end.out : end.err);
  const std::string wrote = said.empty() ? "" : "; it wrote:\n" + report::printable(said, report::Newlines::kKeep);
  const std::string who = target.script ? target.command[0] + ", a script," : "the program";
  const std::string follow = target.script ? "; --follow finds the program with threads that it starts" : "";
  return {fmt::format("nothing to test: {} ended with exit code {} before it had a second thread{}", who, end.exit_code,
                      wrote),
          "make it work on its own first, or say that this exit code is the right one (--expect-exit)" + follow,
          kNothingToTest};
}

}  // namespace

Error one_thread_error(const explore::Target& target, const explore::Exploration& exploration) {
  if (exploration.own_end) return own_failure(target, *exploration.own_end);
  if (target.script)
    return {fmt::format("nothing to test: {} is a script, and {}, which runs it, used one thread", target.command[0],
                        target.path),
            "name the program that has the threads, or let snarl find it: --follow", kNothingToTest};
  return {"nothing to test: the program used one thread",
          "give it arguments or input that make it start threads; if it starts the program that does: --follow",
          kNothingToTest};
}

}  // namespace snarl::cli
