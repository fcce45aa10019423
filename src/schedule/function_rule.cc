#include "schedule/function_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "schedule/schedule_text.h"

namespace snarl {
namespace {

constexpr const char* kUses[] = {"none", "point", "lock", "trylock", "unlock", "read-lock", "try-read-lock"};
static_assert(std::size(kUses) == static_cast<size_t>(FunctionUse::kCount));

constexpr const char* kHint =
    "a line is lock:, trylock:, unlock:, read-lock: or try-read-lock: and FUNCTION(N), where argument N is the lock; "
    "after a try may stand: returns zero, or: returns nonzero. Or it is point: FUNCTION";
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

FunctionUse use_named(std::string_view word) {
  const auto* const at = std::find(std::begin(kUses) + 1, std::end(kUses), word);
  return at == std::end(kUses) ? FunctionUse::kNone : static_cast<FunctionUse>(at - std::begin(kUses));
}

Error wrong(std::string message) { return Error{std::move(message), kHint, 2}; }

// Takes "returns zero" away from the end.
Status take_result(std::string_view& text, FunctionRule& rule) {
  const size_t at = text.rfind(" returns ");
  if (at == text.npos) return Done{};
  const std::string_view word = trimmed(text.substr(at + 9));
  if (word != "zero" && word != "nonzero")
    return wrong(fmt::format("expected returns zero or returns nonzero, found \"{}\"", word));
  if (!is_try(rule.use)) return wrong("only what tries to lock has a result that matters");
  rule.zero_succeeds = word == "zero";
  text = trimmed(text.substr(0, at));
  return Done{};
}

// Takes "(1)" away from the end: the last pair of brackets, as a name may have its own.
Status take_argument(std::string_view& text, FunctionRule& rule) {
  const bool has_digit = text.size() > 3 && text.ends_with(')') && text[text.size() - 3] == '(';
  const char digit = has_digit ? text[text.size() - 2] : '0';
  if (digit < '1' || digit > '6')
    return wrong(fmt::format("\"{}\" does not end with which argument is the lock, (1) to (6)", text));
  rule.argument = static_cast<uint8_t>(digit - '0');
  text = trimmed(text.substr(0, text.size() - 3));
  return Done{};
}

std::string_view without_comment(std::string_view line) {
  const bool all = trimmed(line).starts_with('#');
  return all ? std::string_view() : trimmed(line.substr(0, line.find(" #")));
}

}  // namespace

std::string to_text(const FunctionRule& rule) {
  std::string text = fmt::format("{}: {}", kUses[static_cast<size_t>(rule.use)], rule.pattern);
  if (rule.argument != 0) text += fmt::format("({})", rule.argument);
  if (is_try(rule.use)) text += rule.zero_succeeds ? " returns zero" : " returns nonzero";
  return text;
}

Expected<FunctionRule> parse_function_rule(std::string_view line) {
  static const std::vector<std::string> names(std::begin(kUses) + 1, std::end(kUses));
  const size_t colon = line.find(':');
  const std::string_view word = trimmed(line.substr(0, colon));
  FunctionRule rule;
  rule.use = colon == line.npos ? FunctionUse::kNone : use_named(word);
  if (rule.use == FunctionUse::kNone)
    return wrong(fmt::format("expected {}, found \"{}\"{}", "lock:, trylock:, unlock: or their like", word,
                             did_you_mean(word, names)));
  std::string_view rest = trimmed(line.substr(colon + 1));
  if (Status taken = take_result(rest, rule); !taken) return taken.error();
  if (rule.use != FunctionUse::kPoint)
    if (Status taken = take_argument(rest, rule); !taken) return taken.error();
  if (rest.empty()) return wrong("the name of the function is missing");
  rule.pattern = rest;
  return rule;
}

Expected<std::vector<FunctionRule>> parse_function_rules(std::string_view text, std::string_view file) {
  std::vector<FunctionRule> rules;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = without_comment(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    Expected<FunctionRule> rule = parse_function_rule(line);
    if (!rule) return Error{fmt::format("{}:{}: {}", file, number, rule.error().message), rule.error().hint, 2};
    rules.push_back(std::move(*rule));
  }
  return rules;
}

std::string to_text(const std::vector<FunctionRule>& rules) {
  std::string text;
  for (const FunctionRule& rule : rules) text += to_text(rule) + "\n";
  return text;
}

}  // namespace snarl
