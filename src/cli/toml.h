// snarl.toml: the part of TOML that options need. Pure.
//
//   # comment
//   timeout = "30s"          strings, basic or 'literal'
//   schedules = 10_000       numbers
//   keep-going = true        booleans
//   policy = ["random",      arrays of strings, over several lines if they are long
//             "pct:depth=3"]
//   [replay]                 sections
//   times = 20
//
// What is accepted means the same in TOML 1.0; everything else is an error with its line, not a guess.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace snarl::cli {

struct Setting {
  enum class Type { kString, kNumber, kBool, kList };
  std::string section;  // empty before the first [section]
  std::string key;
  Type type = Type::kString;
  std::vector<std::string> values;  // one, but for lists; numbers without underscores, booleans as "true" and "false"
  int line = 0;                     // of the key
};

struct Toml {
  std::vector<Setting> settings;
  std::vector<std::pair<std::string, int>> sections;  // names and lines, also of empty ones
};

// Errors are "FILE:LINE: sentence" with exit code 2.
Expected<Toml> parse_toml(std::string_view text, const std::string& file);

}  // namespace snarl::cli
