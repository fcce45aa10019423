#include "cli/print_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "cli/installation.h"
#include "cli/terminal.h"
#include "explore/target/setup.h"

namespace snarl::cli {
namespace {

bool is_shown(const OptionInfo& option) {
  return std::strcmp(option.name, "help") != 0 && std::strcmp(option.name, "print-config") != 0 &&
         std::strcmp(option.name, "config") != 0;
}

std::string value_text(const Arguments& arguments, const OptionInfo& option) {
  if (option.is_switch()) return arguments.has(option.name) ? "true" : "false";
  // The one default that depends on another option (its help says so).
  const bool unlimited = std::strcmp(option.name, "for") == 0 && !arguments.has("for") && arguments.has("schedules");
  const std::vector<std::string> values = arguments.all(option.name);
  return values.empty() || unlimited ? "(none)" : fmt::format("{}", fmt::join(values, " "));
}

const char* source_of(const Given* given) {
  if (given == nullptr) return "default";
  switch (given->source) {
    case Source::kFlag: return "flag";
    case Source::kEnvironment: return "environment";
    case Source::kFile: break;
  }
  return "file";
}

std::string origin_text(const Given* given) {
  if (given == nullptr) return "default";
  return given->source == Source::kFlag ? fmt::format("flag {}", given->origin) : given->origin;
}

nlohmann::json value_json(const Arguments& arguments, const OptionInfo& option) {
  if (option.is_switch()) return arguments.has(option.name);
  const std::vector<std::string> values = arguments.all(option.name);
  if (option.many) return values;
  return values.empty() ? nlohmann::json() : nlohmann::json(values.back());
}

// A variable that looks like ours.
struct Stray {
  std::string name, near;
};

std::vector<Stray> strays_in(const std::vector<std::string>& environment) {
  const std::string prefix = "SNARL_";
  std::vector<std::string> known;  // without the prefix, which would make all of them alike
  for (const std::string name : {wire::kEnvironment, "SNARL_CC", "SNARL_CXX", "SNARL_REPLAY"})
    known.push_back(name.substr(prefix.size()));
  for (const OptionInfo& option : option_table()) known.push_back(environment_name(option).substr(prefix.size()));
  std::vector<Stray> strays;
  for (const std::string& word : environment) {
    if (!word.starts_with(prefix)) continue;
    const std::string name = word.substr(prefix.size(), word.find('=') - prefix.size());
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string near = nearest(name, known);
    strays.push_back({printable_line(prefix + name), near.empty() ? "" : prefix + near});
  }
  return strays;
}

std::string sentence_of(const Stray& stray) {
  return fmt::format("{} is not the variable of an option{}", stray.name,
                     stray.near.empty() ? "" : fmt::format("; did you mean {}?", stray.near));
}

}  // namespace

std::string config_text(const Arguments& arguments) {
  std::string text = arguments.config_file.empty() ? "# no snarl.toml\n" : fmt::format("# {}\n", arguments.config_file);
  for (const OptionInfo* option : options_of(arguments.verb()))
    if (is_shown(*option))
      text += fmt::format("{:<14} {:<34} {}\n", option->name, printable_line(value_text(arguments, *option)),
                          origin_text(arguments.given(option->name)));
  return text;
}

std::string config_json(const Arguments& arguments) {
  nlohmann::json options = nlohmann::json::array();
  for (const OptionInfo* option : options_of(arguments.verb())) {
    if (!is_shown(*option)) continue;
    const Given* given = arguments.given(option->name);
    options.push_back({{"name", option->name},
                       {"value", value_json(arguments, *option)},
                       {"source", source_of(given)},
                       {"origin", given == nullptr ? "default" : given->origin},
                       {"variable", environment_name(*option)}});
  }
  const nlohmann::json file = arguments.config_file.empty() ? nlohmann::json() : nlohmann::json(arguments.config_file);
  const nlohmann::json whole = {{"schema", "snarl.config/1"}, {"file", file}, {"options", options}};
  return whole.dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string stray_variables(const std::vector<std::string>& environment) {
  std::string text;
  for (const Stray& stray : strays_in(environment)) text += fmt::format("# {}\n", sentence_of(stray));
  return text;
}

// Others may be somebody else's.
std::string misspelt_variables(const std::vector<std::string>& environment) {
  std::string text;
  for (const Stray& stray : strays_in(environment))
    if (!stray.near.empty()) text += fmt::format("snarl: warning: {}\n", sentence_of(stray));
  return text;
}

std::optional<int> answered(const Arguments& arguments, std::string (*help)(), Status (*check)(const Arguments&)) {
  if (arguments.has("help")) return put(help()) ? 0 : 125;
  if (!arguments.has("print-config")) return std::nullopt;
  if (const Status right = check == nullptr ? Status(Done{}) : check(arguments); !right) return complain(right.error());
  const bool json = arguments.has("json");
  return put(json ? config_json(arguments) : config_text(arguments) + stray_variables(own_environment())) ? 0 : 125;
}

}  // namespace snarl::cli
