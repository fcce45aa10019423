// The command line of one verb, taken apart, with where each value comes from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/options.h"

namespace snarl::cli {

enum class Source { kFlag, kEnvironment, kFile };

// What was given for one option.
struct Given {
  Source source = Source::kFlag;
  std::string origin;               // "--schedules", "SNARL_SCHEDULES", "snarl.toml:4"
  std::vector<std::string> values;  // none for a switch
  bool off = false;                 // a switch that was turned off
};

class Arguments {
 public:
  explicit Arguments(Verb verb) : verb_(verb) {}

  Verb verb() const { return verb_; }
  // It was given, by whatever source; a switch: it is on.
  bool has(std::string_view name) const;
  // The last value given, or the default as the table has it; empty if there is none.
  std::string get(std::string_view name) const;
  // All values given, or the defaults.
  std::vector<std::string> all(std::string_view name) const;
  // nullptr: only its default is there.
  const Given* given(std::string_view name) const;
  // The option as the user named it, for errors: "-n", "SNARL_SCHEDULES", "snarl.toml:4: schedules".
  std::string label(std::string_view name) const;

  // A flag, which may come several times.
  void add_flag(const OptionInfo& option, const std::string& value, bool off);
  // From a source that counts less than those before: dropped if the option was given already.
  void add(const OptionInfo& option, Given given) { given_.try_emplace(option.name, std::move(given)); }

  std::vector<std::string> operands;  // before "--"
  bool mixed = false;                 // an option stands behind an operand
  std::vector<std::string> command;   // after it
  bool has_command = false;
  std::string config_file;  // the snarl.toml that was read; empty: none

 private:
  Verb verb_;
  std::map<std::string, Given, std::less<>> given_;
};

// Flags and environment; `environment` is getenv or a test's own. Errors have exit code 2 and name the nearest option.
Expected<Arguments> parse_arguments(Verb verb, const std::vector<std::string>& words,
                                    const char* (*environment)(const char*));

}  // namespace snarl::cli
