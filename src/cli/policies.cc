#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/configuration.h"
#include "cli/print_config.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/target/policy_spec.h"
#include "policy/catalog.h"

namespace snarl::cli {
namespace {

// The names of the catalog, in lines as long as the help's others.
std::string names_of_policies() {
  constexpr size_t kWidth = 100;
  std::string text, line = "There are:";
  for (const policy::PolicyInfo& info : policy::policy_catalog()) {
    if (!info.for_users) continue;
    if (line.size() + std::string_view(info.name).size() + 2 > kWidth) text += line + "\n", line.clear();
    line += fmt::format("{}{},", line.empty() ? "" : " ", info.name);
  }
  line.back() = '.';
  return text + line + "\n";
}

}  // namespace

std::string policies_help() {
  return R"(usage: snarl policies [--json] [NAME...]

Lists the policies for -p, or those that are named: how each chooses the next thread, its parameters,
what it guarantees, and the paper that it comes from.
A policy is written NAME[:PARAMETER=VALUE,...], such as pct:depth=3.
A policy of your own is a shared library, written with its path: -p ./my_policy.so[:VALUE,...]; see
examples/policy and include/snarl/policy.h.

)" + names_of_policies() +
         options_help(kPolicies);
}

namespace {

std::string range_of(const policy::ParamInfo& param) {
  if (param.words != nullptr) return param.words;
  return fmt::format("{}{} to {}", param.whole ? "whole, " : "", param.min, param.max);
}

std::string default_of(const policy::ParamInfo& param) {
  if (param.words != nullptr) return split(param.words, "|")[static_cast<size_t>(param.default_value)];
  return fmt::format("{:.4g}", param.default_value);
}

nlohmann::json json_of(const policy::ParamInfo& param) {
  nlohmann::json json = {{"name", param.name}, {"help", param.help}};
  if (param.words != nullptr) {
    json["default"] = default_of(param);
    json["words"] = split(param.words, "|");
    return json;
  }
  json["default"] = param.default_value;
  json["min"] = param.min;
  json["max"] = param.max;
  json["whole"] = param.whole;
  return json;
}

std::string text_of(const policy::PolicyInfo& info) {
  std::string text = fmt::format("{}\n  rule       {}\n", info.name, info.rule);
  if (info.file != nullptr)
    text += fmt::format("  parameter  {}=FILE: docs/formats/{}.md has the format\n", info.file, info.file);
  for (const policy::ParamInfo& param : info.params)
    text += fmt::format("  parameter  {}={} ({}): {}\n", param.name, default_of(param), range_of(param), param.help);
  for (const policy::TextInfo& param : info.texts)
    text += fmt::format("  parameter  {}={}: {}; the last one, its commas are its own\n", param.name, param.form,
                        param.help);
  return text + fmt::format("  guarantee  {}\n  paper      {}\n", info.guarantee, info.paper);
}

// What the policy needs with the parameters that tests take, which are in `trial`.
nlohmann::json traits_json(const policy::PolicyInfo& info) {
  const PolicySpec trial = policy::trial_spec(info);
  const policy::Traits traits = policy::traits_of(trial);
  return {{"trial", explore::to_string(trial)},
          {"parallel", policy::traits_of(policy::default_spec(info)).parallel},
          {"serial", !traits.parallel || traits.also_serial},
          {"counts", traits.counts},
          {"groups", traits.groups},
          {"searches", info.promises.searches},
          {"depth_bound", info.promises.depth_bound}};
}

nlohmann::json json_of(const policy::PolicyInfo& info) {
  nlohmann::json params = nlohmann::json::array();
  for (const policy::ParamInfo& param : info.params) params.push_back(json_of(param));
  for (const policy::TextInfo& param : info.texts) params.push_back({{"name", param.name}, {"help", param.help}});
  nlohmann::json json = {{"name", info.name},
                         {"rule", info.rule},
                         {"guarantee", info.guarantee},
                         {"paper", info.paper},
                         {"parameters", params}};
  if (info.file != nullptr) json["file"] = info.file;
  json.update(traits_json(info));
  return json;
}

}  // namespace

int policies_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kPolicies, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, policies_help)) return *code;
  if (arguments->has_command) return complain({"snarl policies takes no program", {}, 2});
  for (const std::string& name : arguments->operands)
    if (Expected<PolicySpec> known = explore::parse_policy(name); !known) return complain(known.error());
  const auto is_asked_for = [&](const std::string& name) {
    const auto is_it = [&](const std::string& word) { return word.substr(0, word.find(':')) == name; };
    return arguments->operands.empty() || std::ranges::any_of(arguments->operands, is_it);
  };
  std::string text;
  nlohmann::json list = nlohmann::json::array();
  for (const policy::PolicyInfo& info : policy::policy_catalog()) {
    if (!info.for_users || !is_asked_for(info.name)) continue;
    text += (text.empty() ? "" : "\n") + text_of(info);
    list.push_back(json_of(info));
  }
  return put(arguments->has("json") ? list.dump(2) + "\n" : text) ? 0 : 125;
}

}  // namespace snarl::cli
