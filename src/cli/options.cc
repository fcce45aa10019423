#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "explore/nearest.h"

namespace snarl {
namespace {

constexpr OptionInfo kOptions[] = {
    {"schedules", 'n', "N", nullptr, "stop after N schedules (then -t has no default)", kRun},
    {"for", 't', "TIME", "60s", "stop after this time: 60s, 500ms, 2m, or a number of seconds", kRun | kDemo},
    {"timeout", '\0', "TIME", "10s", "longest time of one schedule", kRun | kReplay},
    {"steps", '\0', "N", "1000000", "most steps of one schedule; 0: no limit", kRun | kReplay},
    {"jobs", 'j', "N", "number of cores", "schedules at the same time", kRun},
    {"seed", '\0', "SEED", "random", "decimal or 0x...; printed by every run", kRun | kDemo},
    {"policy", 'p', "POLICY", "random, pct:depth=3", "how the next thread is chosen (several: in turn); see snarl policies",
     kRun, true},
    {"fairness", '\0', "F|off", "min(0.001, 0.05/k)",
     "the chance that a step is not the policy's choice, so that nobody starves; off: never", kRun},
    {"output", 'o', "FOLDER", "snarl-out", "folder for the results", kRun | kDemo},
    {"keep-going", '\0', nullptr, nullptr, "go on after the first finding", kRun},
    {"reset", '\0', "fork|exec", "fork", "what makes the program new for each schedule", kRun},
    {"time", '\0', "MODE", "virtual",
     "virtual: clocks and deadlines are the schedule's, and a sleep ends when nobody else can run.\n"
     "free: the same, but a sleep ends whenever the policy likes.\n"
     "real: the machine's clocks; a thread that sleeps or waits with a deadline keeps its turn.", kRun},
    {"time", '\0', "MODE", "as recorded", "virtual, free or real: see snarl run --help", kReplay},
    {"once", '\0', nullptr, nullptr, "one schedule with the program's own input, output and exit code", kRun},
    {"times", '\0', "N", "1", "replay so many times", kReplay},
    {"quiet", 'q', nullptr, nullptr, "only the result, without the report", kReplay},
    {"json", '\0', nullptr, nullptr, "JSON on stdout instead of text", kRun | kReplay | kPolicies},
    {"help", 'h', nullptr, nullptr, "this text", kRun | kReplay | kPolicies | kDemo},
};

constexpr size_t kHelpColumn = 27;  // where the help of an option begins
constexpr const char* kNewHelpLine = "\n                           ";

Error usage_error(const std::string& message, const std::string& hint = {}) { return Error{message, hint, 2}; }

const OptionInfo* by_name(Verb verb, std::string_view name) {
  for (const OptionInfo& option : kOptions)
    if ((option.verbs & verb) != 0 && name == option.name) return &option;
  return nullptr;
}

const OptionInfo* by_letter(Verb verb, char letter) {
  for (const OptionInfo& option : kOptions)
    if ((option.verbs & verb) != 0 && letter == option.letter) return &option;
  return nullptr;
}

Error unknown_option(Verb verb, std::string_view word) {
  std::vector<std::string> names;
  for (const OptionInfo& option : kOptions)
    if ((option.verbs & verb) != 0) names.push_back(std::string("--") + option.name);
  const std::string near = nearest(word.substr(0, word.find('=')), names);
  return usage_error(fmt::format("unknown option {}", word),
                     near.empty() ? "--help lists the options" : fmt::format("did you mean {}?", near));
}

// An option as a word of the command line, and its value if that is in the same word.
struct Found {
  const OptionInfo* option = nullptr;
  bool has_value = false;
  std::string value;
};

Found find_option(Verb verb, const std::string& word) {
  if (word.starts_with("--")) {
    const size_t equals = word.find('=');
    const bool has_value = equals != word.npos;
    return {by_name(verb, std::string_view(word).substr(2, has_value ? equals - 2 : word.npos)), has_value,
            has_value ? word.substr(equals + 1) : ""};
  }
  return {by_letter(verb, word[1]), word.size() > 2, word.substr(2)};
}

bool is_false(std::string_view value) { return value.empty() || value == "0" || value == "false" || value == "no"; }

}  // namespace

std::span<const OptionInfo> option_table() { return kOptions; }

std::string environment_name(const OptionInfo& option) {
  std::string name = std::string("SNARL_") + option.name;
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string Arguments::get(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? "" : at->second.back();
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? std::vector<std::string>() : at->second;
}

Expected<Arguments> parse_arguments(Verb verb, const std::vector<std::string>& words,
                                    const char* (*environment)(const char*)) {
  Arguments result;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      result.has_command = true;
      result.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      result.operands.push_back(word);
      continue;
    }
    Found found = find_option(verb, word);
    if (found.option == nullptr) return unknown_option(verb, word);
    if (found.option->metavar == nullptr && found.has_value)
      return usage_error(fmt::format("--{} takes no value", found.option->name));
    if (found.option->metavar != nullptr && !found.has_value) {
      if (i + 1 == words.size() || words[i + 1] == "--")
        return usage_error(fmt::format("{} needs a value: {}", word, found.option->metavar));
      found.value = words[++i];
    }
    result.values_[found.option->name].push_back(found.value);
  }
  for (const OptionInfo& option : kOptions) {
    if ((option.verbs & verb) == 0 || result.has(option.name)) continue;
    const char* value = environment(environment_name(option).c_str());
    if (value == nullptr || (option.metavar == nullptr && is_false(value))) continue;
    result.values_[option.name].push_back(value);
  }
  return result;
}

std::string options_help(Verb verb) {
  std::string text = "\nOptions:\n";
  for (const OptionInfo& option : kOptions) {
    if ((option.verbs & verb) == 0) continue;
    std::string left = option.letter == '\0' ? "    " : fmt::format("-{}, ", option.letter);
    left += fmt::format("--{}", option.name);
    if (option.metavar != nullptr) left += fmt::format(" {}", option.metavar);
    std::string help = option.help;
    for (size_t at = 0; (at = help.find('\n', at)) != help.npos; at += kHelpColumn) help.replace(at, 1, kNewHelpLine);
    text += fmt::format("  {:<24} {}", left, help);
    if (option.fallback != nullptr) text += fmt::format(" (default: {})", option.fallback);
    text += "\n";
  }
  text += "Each long option has a twin in the environment: --keep-going is SNARL_KEEP_GOING=1.\n";
  return text;
}

}  // namespace snarl
