#include "cli/configuration.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/nearest.h"
#include "cli/terminal.h"
#include "cli/toml.h"
#include "cli/verbs.h"
#include "os/read_file.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "snarl.toml";

Error wrong(const std::string& file, int line, const std::string& what, const std::string& hint) {
  return Error{fmt::format("{}:{}: {}", file, line, what), hint, 2};
}

std::string suggestion(const std::string& word, const std::vector<std::string>& names, const std::string& otherwise) {
  const std::string near = nearest(word, names);
  return near.empty() ? otherwise : fmt::format("did you mean {}?", near);
}

uint32_t verbs_of_section(const std::string& section) {
  if (section.empty()) return kEveryVerb;
  for (const VerbInfo& verb : verb_table())
    if (section == verb.name) return verb.verb;
  return 0;
}

// The option that a key means in its section; at the top any verb's will do.
const OptionInfo* option_of(const Setting& setting) {
  for (const OptionInfo& option : option_table())
    if (option.in_file && setting.key == option.name && (option.verbs & verbs_of_section(setting.section)) != 0)
      return &option;
  return nullptr;
}

Error unknown_key(const Setting& setting, const std::string& file) {
  std::vector<std::string> names;
  for (const OptionInfo& option : option_table())
    if (option.in_file && (option.verbs & verbs_of_section(setting.section)) != 0) names.emplace_back(option.name);
  return wrong(file, setting.line, fmt::format("unknown key \"{}\"", setting.key),
               suggestion(setting.key, names, "keys are the long options; snarl run --help lists them"));
}

Status check_type(const Setting& setting, const OptionInfo& option, const std::string& file) {
  using Type = Setting::Type;
  const auto fail = [&](const std::string& example) -> Status {
    return wrong(file, setting.line, fmt::format("a wrong kind of value for \"{}\"", option.name),
                 fmt::format("write {} = {}", option.name, example));
  };
  if (option.is_switch()) return setting.type == Type::kBool ? Done{} : fail("true or false");
  if (setting.type == Type::kList && !option.many) return fail("one value");
  if (setting.type == Type::kBool) return fail(fmt::format("\"{}\"", option.metavar));
  if (setting.values.empty()) return fail(fmt::format("[\"{}\"]", option.metavar));
  return Done{};
}

Status check(const Toml& toml, const std::string& file) {
  std::vector<std::string> verbs;
  for (const VerbInfo& verb : verb_table()) verbs.emplace_back(verb.name);
  for (const auto& [name, line] : toml.sections)
    if (verbs_of_section(name) == 0)
      return wrong(file, line, fmt::format("unknown section [{}]", name),
                   suggestion(name, verbs, fmt::format("sections are verbs: {}", fmt::join(verbs, ", "))));
  for (const Setting& setting : toml.settings) {
    const OptionInfo* option = option_of(setting);
    if (option == nullptr) return unknown_key(setting, file);
    if (Status checked = check_type(setting, *option, file); !checked) return checked;
  }
  return Done{};
}

void add(const Setting& setting, const std::string& file, Arguments& arguments) {
  const OptionInfo* option = option_named(arguments.verb(), setting.key);
  if (option == nullptr) return;  // another verb's
  Given given{Source::kFile, fmt::format("{}:{}", file, setting.line), {}};
  if (option->is_switch())
    given.off = setting.values[0] == "false";
  else
    given.values = setting.values;
  arguments.add(*option, std::move(given));
}

// A file that somebody else left in a folder above (/tmp) must not choose what we do.
bool is_trusted(const std::string& file) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0 || status.st_uid == geteuid() || status.st_uid == 0) return true;
  tell(fmt::format("snarl: ignoring {}, which belongs to somebody else (--config FILE takes it all the same)\n",
                   printable_line(file)));
  return false;
}

}  // namespace

Status apply_config(std::string_view text, const std::string& file, Arguments& arguments) {
  Expected<Toml> toml = parse_toml(text, file);
  if (!toml) return toml.error();
  if (Status checked = check(*toml, file); !checked) return checked;
  for (const bool in_section : {true, false})
    for (const Setting& setting : toml->settings)
      if (setting.section.empty() != in_section && (verbs_of_section(setting.section) & arguments.verb()) != 0)
        add(setting, file, arguments);
  arguments.config_file = file;
  return Done{};
}

std::string find_config(const std::string& folder) {
  std::error_code error;
  if (fs::is_regular_file(fs::path(folder) / kFileName, error)) return kFileName;
  for (fs::path at = folder; at.has_relative_path();) {
    at = at.parent_path();
    if (fs::is_regular_file(at / kFileName, error)) return at / kFileName;
  }
  return {};
}

Expected<Arguments> read_arguments(Verb verb, const std::vector<std::string>& words) {
  Expected<Arguments> arguments =
      parse_arguments(verb, words, [](const char* name) -> const char* { return std::getenv(name); });
  if (!arguments || arguments->has("help")) return arguments;
  const bool named = arguments->given("config") != nullptr;
  std::error_code error;
  std::string file = named ? arguments->get("config") : find_config(fs::current_path(error));
  if (file.empty() || (!named && !is_trusted(file))) return arguments;
  const Expected<std::string> text = os::read_file(file, 2);
  if (!text) return text.error();
  if (Status applied = apply_config(*text, file, *arguments); !applied) return applied.error();
  return arguments;
}

}  // namespace snarl::cli
