#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/configuration.h"
#include "cli/print_config.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "policy/catalog.h"

namespace snarl {

std::string policies_help() {
  return R"(usage: snarl policies [--json]

Lists the policies for -p: how each chooses the next thread, its parameters, what it guarantees, and
the paper that it comes from. A policy is written NAME[:PARAMETER=VALUE,...], such as pct:depth=3.
)" + options_help(kPolicies);
}

namespace {

std::string text_of(const PolicyInfo& info) {
  std::string text = fmt::format("{}\n  rule       {}\n", info.name, info.rule);
  for (const ParamInfo& param : info.params)
    text += fmt::format("  parameter  {}={} ({}{} to {}): {}\n", param.name, param.default_value,
                        param.whole ? "whole, " : "", param.min, param.max, param.help);
  return text + fmt::format("  guarantee  {}\n  paper      {}\n", info.guarantee, info.paper);
}

nlohmann::json json_of(const PolicyInfo& info) {
  nlohmann::json params = nlohmann::json::array();
  for (const ParamInfo& param : info.params)
    params.push_back({{"name", param.name},
                      {"help", param.help},
                      {"default", param.default_value},
                      {"min", param.min},
                      {"max", param.max},
                      {"whole", param.whole}});
  return {{"name", info.name}, {"rule", info.rule}, {"guarantee", info.guarantee}, {"paper", info.paper}, {"parameters", params}};
}

}  // namespace

int policies_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kPolicies, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, policies_help)) return *code;
  if (!arguments->operands.empty() || arguments->has_command)
    return complain({"snarl policies takes no arguments", {}, 2});
  std::string text;
  nlohmann::json list = nlohmann::json::array();
  for (const PolicyInfo& info : policy_catalog()) {
    if (!info.for_users) continue;
    text += (text.empty() ? "" : "\n") + text_of(info);
    list.push_back(json_of(info));
  }
  return put(arguments->has("json") ? list.dump(2) + "\n" : text) ? 0 : 125;
}

}  // namespace snarl
