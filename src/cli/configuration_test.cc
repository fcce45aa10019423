#include "cli/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/bisect.h"
#include "cli/print_config.h"
#include "cli/run_options.h"

namespace snarl::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* some_environment(const char* name) {
  if (std::strcmp(name, "SNARL_TIMEOUT") == 0) return "7s";
  if (std::strcmp(name, "SNARL_KEEP_GOING") == 0) return "0";
  if (std::strcmp(name, "SNARL_POLICY") == 0) return "random pct:depth=2";
  return nullptr;
}
const char* empty_environment(const char*) { return nullptr; }

Arguments arguments_of(Verb verb, std::vector<std::string> words,
                       const char* (*environment)(const char*) = empty_environment) {
  Expected<Arguments> arguments = parse_arguments(verb, words, environment);
  EXPECT_TRUE(arguments) << arguments.error().message;
  return arguments ? *arguments : Arguments(verb);
}

Arguments configured(Verb verb, std::vector<std::string> words, std::string_view file,
                     const char* (*environment)(const char*) = empty_environment) {
  Arguments arguments = arguments_of(verb, std::move(words), environment);
  const Status applied = apply_config(file, "snarl.toml", arguments);
  EXPECT_TRUE(applied) << applied.error().message;
  return arguments;
}

TEST(Configuration, AFlagBeatsTheEnvironmentAndThatTheFile) {
  constexpr const char* kFile = "timeout = \"1s\"\nsteps = 5\nkeep-going = true\npolicy = [\"random\"]\njobs = 3\n";
  const Arguments arguments = configured(kRun, {"--steps", "9"}, kFile, some_environment);
  EXPECT_EQ(arguments.get("steps"), "9");
  EXPECT_EQ(arguments.get("timeout"), "7s");
  EXPECT_FALSE(arguments.has("keep-going"));
  EXPECT_THAT(arguments.all("policy"), ElementsAre("random", "pct:depth=2"));
  EXPECT_EQ(arguments.get("jobs"), "3");
  EXPECT_EQ(arguments.get("for"), "60s");
  EXPECT_EQ(arguments.label("steps"), "--steps");
  EXPECT_EQ(arguments.label("timeout"), "SNARL_TIMEOUT");
  EXPECT_EQ(arguments.label("jobs"), "snarl.toml:5: jobs");
}

TEST(Configuration, ASectionIsForItsVerb) {
  constexpr const char* kFile =
      "timeout = 1\nschedules = 5\n[replay]\ntimeout = 2\ntimes = 20\n[run]\noutput = \"o\"\n";
  EXPECT_EQ(configured(kRun, {}, kFile).get("timeout"), "1");
  EXPECT_EQ(configured(kRun, {}, kFile).get("output"), "o");
  EXPECT_EQ(configured(kReplay, {}, kFile).get("timeout"), "2");
  EXPECT_EQ(configured(kReplay, {}, kFile).get("times"), "20");
  EXPECT_EQ(configured(kReplay, {}, kFile).get("output"), "snarl-out");
  EXPECT_FALSE(configured(kReplay, {}, kFile).has("schedules"));
}

TEST(Configuration, SwitchesCanBeTurnedOff) {
  EXPECT_TRUE(configured(kRun, {}, "keep-going = true").has("keep-going"));
  EXPECT_FALSE(configured(kRun, {"--no-keep-going"}, "keep-going = true").has("keep-going"));
  EXPECT_TRUE(configured(kRun, {"--no-keep-going", "--keep-going"}, "").has("keep-going"));
  EXPECT_FALSE(configured(kRun, {}, "keep-going = false").has("keep-going"));
}

void expect_error(std::string_view file, const char* message, const char* hint) {
  Arguments arguments = arguments_of(kRun, {});
  const Status applied = apply_config(file, "snarl.toml", arguments);
  ASSERT_FALSE(applied) << file;
  EXPECT_EQ(applied.error().exit_code, 2);
  EXPECT_THAT(applied.error().message, HasSubstr(message));
  EXPECT_THAT(applied.error().hint, HasSubstr(hint));
}

TEST(Configuration, ErrorsNameLineAndNearest) {
  expect_error("\nshedules = 5\n", "snarl.toml:2: unknown key \"shedules\"", "did you mean schedules?");
  expect_error("keep_going = true\n", "unknown key", "did you mean keep-going?");
  expect_error("[rnu]\n", "snarl.toml:1: unknown section [rnu]", "did you mean run?");
  expect_error("[replay]\nschedules = 5\n", "snarl.toml:2: unknown key", "");
  expect_error("keep-going = 1\n", "snarl.toml:1: a wrong kind of value for \"keep-going\"", "true or false");
  expect_error("timeout = true\n", "a wrong kind of value", "\"TIME\"");
  expect_error("timeout = [\"1s\"]\n", "a wrong kind of value", "one value");
  expect_error("policy = []\n", "a wrong kind of value", "");
  expect_error("config = \"x\"\n", "unknown key", "");
  expect_error("help = true\n", "unknown key", "");
}

TEST(Configuration, WrongValuesNameTheirOrigin) {
  const auto error_of = [](const Arguments& arguments) { return read_run_options(arguments).error(); };
  EXPECT_THAT(error_of(configured(kRun, {}, "\nschedules = 0")).message, HasSubstr("snarl.toml:2: schedules: \"0\""));
  EXPECT_THAT(error_of(configured(kRun, {}, "policy = \"pctt\"")).message, HasSubstr("snarl.toml:1: policy \"pctt\""));
  EXPECT_THAT(error_of(configured(kRun, {}, "color = \"neverr\"")).hint, HasSubstr("never"));
  EXPECT_THAT(error_of(arguments_of(kRun, {"-n", "0"})).message, HasSubstr("-n: \"0\""));
  const auto bad_variable = [](const char* name) -> const char* {
    return std::strcmp(name, "SNARL_TIMEOUT") == 0 ? "soon" : nullptr;
  };
  EXPECT_THAT(error_of(arguments_of(kRun, {}, bad_variable)).message, HasSubstr("SNARL_TIMEOUT: \"soon\""));
  const auto maybe = [](const char* name) -> const char* {
    return std::strcmp(name, "SNARL_ONCE") == 0 ? "maybe" : nullptr;
  };
  EXPECT_THAT(parse_arguments(kRun, {}, maybe).error().message, HasSubstr("SNARL_ONCE: \"maybe\""));
}

TEST(PrintConfig, SaysWhereEachValueComesFrom) {
  const Arguments arguments = configured(kRun, {"-j2"}, "\nsteps = 5\n", some_environment);
  const std::string text = config_text(arguments);
  EXPECT_THAT(text, testing::ContainsRegex("# snarl.toml"));
  EXPECT_THAT(text, testing::ContainsRegex("jobs +2 +flag -j"));
  EXPECT_THAT(text, testing::ContainsRegex("timeout +7s +SNARL_TIMEOUT"));
  EXPECT_THAT(text, testing::ContainsRegex("steps +5 +snarl.toml:2"));
  EXPECT_THAT(text, testing::ContainsRegex("keep-going +false +SNARL_KEEP_GOING"));
  EXPECT_THAT(text, testing::ContainsRegex("schedules +\\(none\\) +default"));
  EXPECT_THAT(text, testing::ContainsRegex("policy +random pct:depth=2 +SNARL_POLICY"));
  for (const OptionInfo* option : options_of(kRun))
    EXPECT_EQ(text.find(std::string("\n") + option->name + " ") != text.npos, option->in_file) << option->name;
}

TEST(PrintConfig, AsJson) {
  const nlohmann::json json =
      nlohmann::json::parse(config_json(configured(kRun, {"--once"}, "steps = 5\n", some_environment)));
  EXPECT_EQ(json["schema"], "snarl.config/1");
  EXPECT_EQ(json["file"], "snarl.toml");
  std::map<std::string, nlohmann::json> by_name;
  for (const nlohmann::json& option : json["options"]) by_name[option["name"]] = option;
  EXPECT_EQ(by_name["once"]["value"], true);
  EXPECT_EQ(by_name["once"]["source"], "flag");
  EXPECT_EQ(by_name["steps"]["origin"], "snarl.toml:1");
  EXPECT_EQ(by_name["policy"]["value"], nlohmann::json({"random", "pct:depth=2"}));
  EXPECT_EQ(by_name["schedules"]["value"], nullptr);
  EXPECT_EQ(by_name["keep-going"]["variable"], "SNARL_KEEP_GOING");
}

TEST(PrintConfig, NamesMisspeltVariables) {
  EXPECT_EQ(stray_variables({"SNARL_SCHEDULES=5", "SNARL=x", "PATH=/bin", "SNARL_WIRE=3,4"}), "");
  EXPECT_EQ(stray_variables({"SNARL_SHEDULES=5"}),
            "# SNARL_SHEDULES is not the variable of an option; did you mean SNARL_SCHEDULES?\n");
}

TEST(Bisect, HasThreeCodes) {
  EXPECT_EQ(bisect_code(0), 0);
  EXPECT_EQ(bisect_code(1), 1);
  for (const int code : {2, 3, 4, 5, 125, 126, 127, 130, 137}) EXPECT_EQ(bisect_code(code), 125);
  EXPECT_TRUE(wants_bisect({"run", "--bisect", "--", "p"}, nullptr));
  EXPECT_TRUE(wants_bisect({"run"}, "1"));
  EXPECT_FALSE(wants_bisect({"run", "--", "p", "--bisect"}, nullptr));
  EXPECT_FALSE(wants_bisect({"run"}, "0"));
}

}  // namespace
}  // namespace snarl::cli
