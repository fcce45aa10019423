// The settings of a run that stand in its schedule file, one line each: what a replay needs to make the same run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schedule/run_settings.h"

namespace snarl {

struct SettingLine {
  const char* keyword;
  const char* expected;            // what stands behind it, for an error
  std::vector<std::string> names;  // words that it may be, for advice
  bool always;                     // false: the line is left out where `text` is empty
  std::string (*text)(const RunSettings& settings);
  bool (*take)(const std::string& word, RunSettings& settings);  // false: that is not what was expected
};

// In the order of the file. The first is the points, behind which the named functions stand.
std::span<const SettingLine> setting_lines();

}  // namespace snarl
