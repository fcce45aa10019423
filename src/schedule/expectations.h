// What the user expects of every run, beside that it ends by itself: its exit code, and what it writes.
//
// Part of the schedule of a run, so that a replay judges it alike. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace snarl {

struct Expectations {
  static constexpr size_t kMostOutput = 16 << 20;  // every schedule file has it
  static constexpr size_t kMostPatterns = 64;

  int exit_code = 0;
  std::optional<std::string> output = {};   // the whole standard output; none: any
  std::vector<std::string> forbidden = {};  // extended regular expressions: no line of either output may match

  bool of_output() const { return output.has_value() || !forbidden.empty(); }
  bool operator==(const Expectations&) const = default;
};

}  // namespace snarl
