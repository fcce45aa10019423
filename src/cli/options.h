// The options of every verb, in one table: the parser, --help, man pages, completions, error messages,
// snarl.toml and the environment twins (SNARL_<NAME>) all come from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snarl::cli {

enum Verb : uint32_t {
  kRun = 1,
  kReplay = 2,
  kPolicies = 4,
  kDemo = 8,
  kDoctor = 16,
  kLanes = 512,
  kClassify = 1024,
  kExplain = 2048,
  kMinimize = 4096,
  kPredict = 8192,
  kCompile = 1u << 31
};
constexpr uint32_t kEveryVerb = ~uint32_t{kCompile};  // the compilers' words are not ours

struct OptionInfo {
  const char* name;      // without the dashes
  char letter;           // '\0': none
  const char* metavar;   // nullptr: a switch, which --no-NAME turns off
  const char* fallback;  // the default as text; if there may be many, separated by ", "; nullptr: none
  const char* help;
  uint32_t verbs;
  bool many = false;              // may be given several times
  const char* choices = nullptr;  // "a|b": the values that there are; nullptr: any, and completions go by the metavar
  bool in_file = true;            // false: not a key of snarl.toml

  bool is_switch() const { return metavar == nullptr; }
};

std::span<const OptionInfo> option_table();

// Those of one verb, in the order of the table.
std::vector<const OptionInfo*> options_of(Verb verb);
const OptionInfo* option_named(Verb verb, std::string_view name);
const OptionInfo* option_lettered(Verb verb, char letter);

// "SNARL_KEEP_GOING" for "keep-going".
std::string environment_name(const OptionInfo& option);

// The parts of a text such as "a, b" or "x|y".
std::vector<std::string> split(std::string_view text, std::string_view separator);

// The table of a verb's options, for its help. It begins with kOptionsHeading and ends with kOptionsEnd.
std::string options_help(Verb verb);
constexpr const char* kOptionsHeading = "\nOptions:\n";
constexpr const char* kOptionsEnd =
    "Each long option has a twin in the environment (--keep-going is SNARL_KEEP_GOING=1) and in snarl.toml\n"
    "(keep-going = true). A flag counts more than the environment, and that more than the file.\n";

}  // namespace snarl::cli
