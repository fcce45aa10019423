// The options of every verb, in one table: the parser, --help, error messages and the
// environment twins (SNARL_<NAME>) all come from it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace snarl {

enum Verb : uint32_t { kRun = 1, kReplay = 2, kPolicies = 4, kDemo = 8, kDoctor = 16 };

struct OptionInfo {
  const char* name;      // without the dashes
  char letter;           // '\0': none
  const char* metavar;   // nullptr: a switch
  const char* fallback;  // the default as text; nullptr: none
  const char* help;
  uint32_t verbs;
  bool many = false;     // may be given several times
};

std::span<const OptionInfo> option_table();

// "SNARL_KEEP_GOING" for "keep-going".
std::string environment_name(const OptionInfo& option);

// The command line of one verb, taken apart.
class Arguments {
 public:
  bool has(std::string_view name) const { return values_.contains(name); }
  // The last value given, or the one of the environment, or the default; empty if there is none.
  std::string get(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;

  std::vector<std::string> operands;  // before "--"
  std::vector<std::string> command;   // after it
  bool has_command = false;

 private:
  friend Expected<Arguments> parse_arguments(Verb, const std::vector<std::string>&, const char* (*)(const char*));
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// `environment` is getenv or a test's own. Errors have exit code 2 and name the nearest option.
Expected<Arguments> parse_arguments(Verb verb, const std::vector<std::string>& words,
                                    const char* (*environment)(const char*));

// The table of a verb's options, for its help.
std::string options_help(Verb verb);

}  // namespace snarl
