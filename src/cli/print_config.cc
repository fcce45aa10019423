#include "cli/print_config.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "cli/verbs.h"

namespace snarl {
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

std::optional<int> answered(const Arguments& arguments, std::string (*help)()) {
  if (arguments.has("help")) return put(help()) ? 0 : 125;
  if (!arguments.has("print-config")) return std::nullopt;
  return put(arguments.has("json") ? config_json(arguments) : config_text(arguments)) ? 0 : 125;
}

}  // namespace snarl
