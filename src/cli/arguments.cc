#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace snarl::cli {
namespace {

Error usage_error(const std::string& message, const std::string& hint = {}) { return Error{message, hint, 2}; }

Error unknown_option(Verb verb, std::string_view word) {
  std::vector<std::string> names;
  for (const OptionInfo* option : options_of(verb)) names.emplace_back(option->name);
  const std::string_view name = word.substr(0, word.find('='));
  const std::string near = nearest(name.substr(std::min(name.find_first_not_of('-'), name.size())), names);
  return usage_error(fmt::format("unknown option {}", word),
                     near.empty() ? "--help lists the options; the program's own stand after --"
                                  : fmt::format("did you mean --{}?", near));
}

// An option as a word of the command line, and its value if that is in the same word.
struct Found {
  const OptionInfo* option = nullptr;
  bool has_value = false;
  std::string value;
  bool off = false;
};

Found find_long(Verb verb, const std::string& word) {
  const size_t equals = word.find('=');
  const bool has_value = equals != word.npos;
  const std::string_view name = std::string_view(word).substr(2, has_value ? equals - 2 : word.npos);
  Found found{option_named(verb, name), has_value, has_value ? word.substr(equals + 1) : ""};
  if (found.option != nullptr || !name.starts_with("no-")) return found;
  const OptionInfo* positive = option_named(verb, name.substr(3));
  if (positive != nullptr && positive->is_switch()) found.option = positive, found.off = true;
  return found;
}

Found find_option(Verb verb, const std::string& word) {
  if (word.starts_with("--")) return find_long(verb, word);
  return {option_lettered(verb, word[1]), word.size() > 2, word.substr(2)};
}

// One word of the command line, and the next if that is its value.
Status take_flag(const std::vector<std::string>& words, size_t& at, Arguments& result) {
  const std::string& word = words[at];
  Found found = find_option(result.verb(), word);
  if (found.option == nullptr) return unknown_option(result.verb(), word);
  if (found.option->is_switch() && found.has_value)
    return usage_error(fmt::format("--{} takes no value", found.option->name));
  if (!found.option->is_switch() && !found.has_value) {
    if (at + 1 == words.size() || words[at + 1] == "--")
      return usage_error(fmt::format("{} needs a value: {}", word, found.option->metavar));
    found.value = words[++at];
  }
  result.add_flag(*found.option, found.value, found.off);
  return Done{};
}

Status take_words(const std::vector<std::string>& words, Arguments& result) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      result.has_command = true;
      result.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      return Done{};
    }
    if (words[i].size() < 2 || words[i][0] != '-') {
      result.operands.push_back(words[i]);
      continue;
    }
    result.mixed |= !result.operands.empty();
    if (Status taken = take_flag(words, i, result); !taken) return taken;
  }
  return Done{};
}

// A variable that is empty counts as not set. Of a repeatable option it holds several values, separated by blanks.
Status take_variable(const OptionInfo& option, const std::string& value, Arguments& result) {
  if (value.empty()) return Done{};
  Given given{Source::kEnvironment, environment_name(option), {}};
  if (!option.is_switch()) {
    given.values = option.many ? split(value, " ") : std::vector{value};
    result.add(option, std::move(given));
    return Done{};
  }
  const auto is = [&](std::initializer_list<const char*> words) {
    return std::ranges::find(words, value) != words.end();
  };
  given.off = is({"0", "false", "no", "off"});
  if (!given.off && !is({"1", "true", "yes", "on"}))
    return usage_error(fmt::format("{}: \"{}\" is neither 1 nor 0", given.origin, value));
  result.add(option, std::move(given));
  return Done{};
}

}  // namespace

bool Arguments::has(std::string_view name) const {
  const Given* found = given(name);
  return found != nullptr && !found->off;
}

std::string Arguments::get(std::string_view name) const {
  const std::vector<std::string> values = all(name);
  return values.empty() ? "" : values.back();
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  if (const Given* found = given(name)) return found->values;
  const OptionInfo* option = option_named(verb_, name);
  if (option == nullptr || option->fallback == nullptr) return {};
  return option->many ? split(option->fallback, ", ") : std::vector<std::string>{option->fallback};
}

const Given* Arguments::given(std::string_view name) const {
  const auto at = given_.find(name);
  return at == given_.end() ? nullptr : &at->second;
}

std::string Arguments::label(std::string_view name) const {
  const Given* found = given(name);
  if (found == nullptr) return fmt::format("--{}", name);
  return found->source == Source::kFile ? fmt::format("{}: {}", found->origin, name) : found->origin;
}

void Arguments::add_flag(const OptionInfo& option, const std::string& value, bool off) {
  Given& given = given_[option.name];
  given.origin = option.letter == '\0' ? fmt::format("--{}", option.name) : fmt::format("-{}", option.letter);
  given.off = off;
  if (!option.is_switch()) given.values.push_back(value);
}

Expected<Arguments> parse_arguments(Verb verb, const std::vector<std::string>& words,
                                    const char* (*environment)(const char*)) {
  Arguments result(verb);
  if (const Status taken = take_words(words, result); !taken) return taken.error();
  for (const OptionInfo* option : options_of(verb)) {
    const char* value = environment(environment_name(*option).c_str());
    if (value == nullptr) continue;
    if (const Status taken = take_variable(*option, value, result); !taken) return taken.error();
  }
  return result;
}

}  // namespace snarl::cli
