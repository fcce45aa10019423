#include "explore/target/policy_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/nearest.h"
#include "policy/catalog.h"

namespace snarl::explore {
namespace {

struct At {
  std::string_view text;  // the whole spec
  size_t position;        // of the part in question, from 0
};

Error wrong(const At& at, const std::string& what, const std::string& hint) {
  return Error{fmt::format("policy \"{}\", character {}: {}", at.text, at.position + 1, what), hint, 2};
}

Error unknown(const At& at, std::string_view kind, std::string_view word, const std::vector<std::string>& names) {
  const std::string near = nearest(word, names);
  std::string hint = fmt::format("expected one of: {}", fmt::join(names, ", "));
  if (names.empty()) hint = "this policy has no parameters";
  if (!near.empty()) hint = fmt::format("did you mean {}? {}", near, hint);
  return wrong(at, fmt::format("no {} is named \"{}\"", kind, word), hint);
}

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const policy::PolicyInfo& info : policy::policy_catalog())
    if (info.for_users) names.emplace_back(info.name);
  return names;
}

std::vector<std::string> words_of(const policy::ParamInfo& param) {
  std::vector<std::string> words;
  for (std::string_view rest = param.words; !rest.empty();) {
    const size_t end = std::min(rest.find('|'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

std::string range_text(const policy::ParamInfo& param) {
  if (param.words != nullptr) return fmt::format("{} is one of: {}", param.name, fmt::join(words_of(param), ", "));
  return fmt::format("{} {} from {} to {}", param.name, param.whole ? "is a whole number" : "is a number", param.min,
                     param.max);
}

bool is_number(std::string_view text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

// A value as people write it: a number in the range, or one of the words.
bool is_value(const policy::ParamInfo& param, std::string_view text, double& value) {
  if (param.words == nullptr)
    return is_number(text, value) && value >= param.min && value <= param.max &&
           !(param.whole && value != std::floor(value));
  const std::vector<std::string> words = words_of(param);
  const auto word = std::find(words.begin(), words.end(), text);
  value = static_cast<double>(word - words.begin());
  return word != words.end();
}

std::string value_text(const policy::ParamInfo& param, double value) {
  return param.words == nullptr ? fmt::format("{}", value) : words_of(param)[static_cast<size_t>(value)];
}

// Calls f(position, part) for each part between commas, from `at` (the colon) on; stops at an error.
template <typename F>
Status for_each_part(std::string_view text, size_t at, F&& f) {
  while (at < text.size()) {
    const size_t begin = at + 1;
    at = std::min(text.find(',', begin), text.size());
    if (const Status done = f(begin, text.substr(begin, at - begin)); !done) return done;
  }
  return Done{};
}

// ./my_policy.so:V1,V2,...
Expected<PolicySpec> parse_plugin(std::string_view text) {
  PolicySpec spec;
  spec.policy = static_cast<uint32_t>(policy::policy_named("plugin"));
  const size_t colon = text.find(':', text.rfind('/'));
  if (Status set = set_policy_file(spec, text.substr(0, colon)); !set) return set.error();
  const Status parsed = for_each_part(text, colon, [&](size_t begin, std::string_view part) -> Status {
    if (spec.given == kMaxPolicyParams)
      return wrong({text, begin}, fmt::format("more than {} values", kMaxPolicyParams), {});
    if (!is_number(part, spec.values[spec.given++]))
      return wrong({text, begin}, fmt::format("\"{}\" is not a number", part),
                   "a library's values are numbers: ./my_policy.so:1,2.5");
    return Done{};
  });
  if (!parsed) return parsed.error();
  return spec;
}

Error no_text(const At& at, const policy::TextInfo& text) {
  return wrong(at, fmt::format("{} has no value", text.name), fmt::format("expected {}={}", text.name, text.form));
}

Status set_parameter(const At& at, const policy::PolicyInfo& info, std::string_view part, PolicySpec& spec) {
  const size_t equals = part.find('=');
  const std::string_view name = part.substr(0, equals);
  std::vector<std::string> names;
  if (info.file != nullptr) names.emplace_back(info.file);
  for (const policy::TextInfo& text : info.texts) {
    names.emplace_back(text.name);
    if (name == text.name) return no_text(at, text);
  }
  if (info.file != nullptr && name == info.file && equals != part.npos)
    return set_policy_file(spec, part.substr(equals + 1));
  for (size_t i = 0; i < info.params.size(); ++i) {
    const policy::ParamInfo& param = info.params[i];
    names.emplace_back(param.name);
    if (name != param.name) continue;
    if (equals == part.npos)
      return wrong(at, fmt::format("{} has no value", name), fmt::format("expected {}=VALUE", name));
    const std::string_view value = part.substr(equals + 1);
    const At there{at.text, at.position + equals + 1};
    if (!is_value(param, value, spec.values[i]))
      return wrong(there, fmt::format("\"{}\" is not a value of {}", value, name), range_text(param));
    return Done{};
  }
  return unknown(at, "parameter", name, names);
}

}  // namespace

Status set_policy_file(PolicySpec& spec, std::string_view path) {
  if (path.size() >= kMaxPolicyFile)
    return Error{fmt::format("the path {} is too long", path), fmt::format("at most {} characters", kMaxPolicyFile - 1),
                 2};
  std::fill(std::begin(spec.file), std::end(spec.file), '\0');
  path.copy(spec.file, path.size());
  return Done{};
}

// Where the text's value begins; npos: it is not given.
static size_t value_of_text(const policy::TextInfo& info, std::string_view text) {
  const std::string label = std::string(info.name) + "=";
  size_t at = text.find(label);
  while (at != text.npos && text[at - 1] != ':' && text[at - 1] != ',') at = text.find(label, at + 1);
  return at == text.npos ? at : at + label.size();
}

static Status set_text(const At& at, const policy::TextInfo& info, PolicySpec& spec) {
  const std::string value(at.text.substr(at.position));
  if (value.empty()) return no_text(at, info);
  if (value.size() >= kMaxPolicyFile) return wrong(at, fmt::format("the {} is too long", info.name), {});
  if (info.is_right != nullptr && !info.is_right(value.c_str()))
    return wrong(at, fmt::format("\"{}\" is not a value of {}", value, info.name),
                 fmt::format("{}={}: {}", info.name, info.form, info.help));
  value.copy(spec.file, value.size());
  return Done{};
}

// The parameter that is a text goes to the end: its commas are its own. What comes before it is left in `text`.
static Status take_text(const policy::PolicyInfo& info, std::string_view& text, PolicySpec& spec) {
  for (size_t i = 0; i < info.texts.size(); ++i) {
    const size_t at = value_of_text(info.texts[i], text);
    if (at == text.npos) continue;
    if (Status set = set_text({text, at}, info.texts[i], spec); !set) return set;
    spec.given = static_cast<uint32_t>(i + 1);
    text = text.substr(0, at - std::string_view(info.texts[i].name).size() - 2);
    break;
  }
  return Done{};
}

Expected<PolicySpec> parse_policy(std::string_view text) {
  if (text.substr(0, text.find('=')).find('/') != text.npos) return parse_plugin(text);
  const size_t colon = text.find(':');
  const std::string name(text.substr(0, colon));
  const int index = policy::policy_named(name.c_str());
  if (index < 0 || !policy::policy_catalog()[static_cast<size_t>(index)].for_users)
    return unknown({text, 0}, "policy", name, policy_names());
  const policy::PolicyInfo& info = policy::policy_catalog()[static_cast<size_t>(index)];
  PolicySpec spec = policy::default_spec(info);
  if (Status taken = take_text(info, text, spec); !taken) return taken.error();
  const Status set = for_each_part(text, colon, [&](size_t begin, std::string_view part) {
    return set_parameter({text, begin}, info, part, spec);
  });
  if (!set) return set.error();
  if (info.file != nullptr && spec.file[0] == '\0')
    return wrong({text, text.size()}, fmt::format("{} needs a file", name),
                 fmt::format("expected {}:{}=FILE", name, info.file));
  return spec;
}

bool is_parallel(const PolicySpec& spec) { return policy::traits_of(spec).parallel; }

bool takes_all_points(const PolicySpec& spec) {
  const policy::Traits traits = policy::traits_of(spec);
  return !traits.parallel && !traits.groups && !traits.steady;
}

std::string_view policy_name(const PolicySpec& spec) {
  return spec.policy < policy::policy_catalog().size() ? policy::policy_catalog()[spec.policy].name : "unknown";
}

static std::string plugin_text(const PolicySpec& spec) {
  std::string text(spec.file);
  for (uint32_t i = 0; i < spec.given && i < kMaxPolicyParams; ++i)
    text += fmt::format("{}{}", i == 0 ? ":" : ",", spec.values[i]);
  return text;
}

std::string to_string(const PolicySpec& spec) {
  std::string text(policy_name(spec));
  if (spec.policy >= policy::policy_catalog().size()) return text;
  const policy::PolicyInfo& info = policy::policy_catalog()[spec.policy];
  if (text == "plugin") return plugin_text(spec);
  if (info.file != nullptr) text += fmt::format(":{}={}", info.file, spec.file);
  for (size_t i = 0; i < info.params.size(); ++i)
    if (!info.params[i].quiet || spec.values[i] != info.params[i].default_value)
      text += fmt::format("{}{}={}", i == 0 && info.file == nullptr ? ":" : ",", info.params[i].name,
                          value_text(info.params[i], spec.values[i]));
  if (spec.given > 0 && spec.given <= info.texts.size())
    text += fmt::format(",{}={}", info.texts[spec.given - 1].name, spec.file);
  return text;
}

double parameter(const PolicySpec& spec, std::string_view name, double otherwise) {
  if (spec.policy >= policy::policy_catalog().size()) return otherwise;
  const policy::PolicyInfo& info = policy::policy_catalog()[spec.policy];
  for (size_t i = 0; i < info.params.size(); ++i)
    if (name == info.params[i].name) return spec.values[i];
  return otherwise;
}

}  // namespace snarl::explore
