// What the user says of functions by name: that their entries are points (--point-at), or that they are locks of the
// program's own (--locks, docs/formats/locks.md). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "schedule/function_use.h"

namespace snarl {

struct FunctionRule {
  FunctionUse use = FunctionUse::kPoint;
  std::string pattern;         // a function's name; * and ? stand for anything
  uint8_t argument = 0;        // which one is the lock, from 1 to 6; a method's first is `this`. 0 for a point
  bool zero_succeeds = false;  // of a try: it has the lock if it returns 0; otherwise, if it returns anything else

  friend bool operator==(const FunctionRule&, const FunctionRule&) = default;
};

constexpr size_t kMaxFunctionRules = 64;  // one bit each says that some function has the name

// A line such as "lock: my_lock(1)", "trylock: my_try(1) returns zero" or "point: queue::push".
std::string to_text(const FunctionRule& rule);

// The error is a sentence without the place where the line stands.
Expected<FunctionRule> parse_function_rule(std::string_view line);

// All lines of a file; empty ones and # comments are skipped. An error names `file`:line (exit code 2).
Expected<std::vector<FunctionRule>> parse_function_rules(std::string_view text, std::string_view file);

// The lines of parse_function_rules.
std::string to_text(const std::vector<FunctionRule>& rules);

}  // namespace snarl
