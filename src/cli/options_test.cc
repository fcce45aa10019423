#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "cli/arguments.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/values.h"
#include "explore/campaign/default_mix.h"

namespace snarl::cli {
namespace {

using testing::HasSubstr;

const char* empty_environment(const char*) { return nullptr; }
const char* some_environment(const char* name) {
  if (std::strcmp(name, "SNARL_SCHEDULES") == 0) return "77";
  if (std::strcmp(name, "SNARL_KEEP_GOING") == 0) return "1";
  if (std::strcmp(name, "SNARL_JSON") == 0) return "0";
  if (std::strcmp(name, "SNARL_TIMEOUT") == 0) return "";  // as good as not set
  return nullptr;
}

Expected<Arguments> parse(std::vector<std::string> words) { return parse_arguments(kRun, words, empty_environment); }

TEST(Options, TakesAllForms) {
  const Expected<Arguments> arguments =
      parse({"-n", "5", "--for=3s", "-j2", "-p", "random", "--policy", "pct", "--json", "--", "prog", "-n", "--"});
  ASSERT_TRUE(arguments) << arguments.error().message;
  EXPECT_EQ(arguments->get("schedules"), "5");
  EXPECT_EQ(arguments->get("for"), "3s");
  EXPECT_EQ(arguments->get("jobs"), "2");
  EXPECT_THAT(arguments->all("policy"), testing::ElementsAre("random", "pct"));
  EXPECT_TRUE(arguments->has("json"));
  EXPECT_THAT(arguments->command, testing::ElementsAre("prog", "-n", "--"));
}

void expect_error(std::vector<std::string> words, const char* message, const char* hint) {
  const Expected<Arguments> arguments = parse(std::move(words));
  ASSERT_FALSE(arguments);
  EXPECT_EQ(arguments.error().exit_code, 2);
  EXPECT_THAT(arguments.error().message, HasSubstr(message));
  EXPECT_THAT(arguments.error().hint, HasSubstr(hint));
}

TEST(Options, NamesTheNearest) {
  expect_error({"--shedules", "5"}, "unknown option --shedules", "--schedules");
  expect_error({"--keepgoing"}, "unknown option", "--keep-going");
  expect_error({"-x"}, "unknown option -x", "");
  expect_error({"--nosuch"}, "unknown option --nosuch", "--help lists the options");
  expect_error({"--times", "3"}, "unknown option", "--time");
  expect_error({"-n"}, "needs a value", "");
  expect_error({"-n", "--", "prog"}, "needs a value", "");
  expect_error({"--json=yes"}, "takes no value", "");
}

TEST(Options, HaveTwinsInTheEnvironment) {
  const Expected<Arguments> arguments = parse_arguments(kRun, {}, some_environment);
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->get("schedules"), "77");
  EXPECT_TRUE(arguments->has("keep-going"));
  EXPECT_FALSE(arguments->has("json"));
  EXPECT_EQ(arguments->get("timeout"), "10s");
  EXPECT_EQ(parse_arguments(kRun, {"-n", "3"}, some_environment)->get("schedules"), "3");
}

TEST(Options, AreUnambiguous) {
  for (const uint32_t verb : {kRun, kReplay, kPolicies, kDemo, kDoctor, kClassify}) {
    std::set<std::string> names;
    std::set<char> letters;
    for (const OptionInfo& option : option_table()) {
      if ((option.verbs & verb) == 0) continue;
      EXPECT_TRUE(names.insert(option.name).second) << option.name;
      EXPECT_TRUE(option.letter == '\0' || letters.insert(option.letter).second) << option.letter;
    }
  }
  EXPECT_THAT(options_help(kRun), HasSubstr("-n, --schedules N"));
  for (const OptionInfo& option : option_table())  // --no-NAME turns the switch NAME off
    EXPECT_EQ(option_named(kRun, std::string("no-") + option.name), nullptr) << option.name;
}

// As for a program with or without hooks.
RunOptions options_of(const std::vector<std::string>& words, bool has_hooks) {
  RunOptions options = *read_run_options(*parse(words));
  explore::Target target;
  target.has_hooks = has_hooks;
  fit_to_build(target, options);
  return options;
}

TEST(RunOptions, MemoryPointsAndRacesAreForProgramsWithHooks) {
  const auto points = [](const RunOptions& options) { return options.settings.points; };
  EXPECT_EQ(points(options_of({}, false)), kDefaultPoints);
  EXPECT_EQ(points(options_of({}, true)), kDefaultPoints | kMemoryPoints);
  EXPECT_EQ(points(options_of({"--points", "sync"}, true)), kSyncPoints);
  EXPECT_FALSE(options_of({}, false).settings.races);
  EXPECT_TRUE(options_of({}, true).settings.races);
  EXPECT_FALSE(options_of({"--points", "sync"}, true).settings.races);
  EXPECT_FALSE(options_of({"--races", "off"}, true).settings.races);
  EXPECT_FALSE(options_of({"--once"}, true).settings.races);
}

// The table of options says what the mix is; without memory points, one that is for them has no turn.
TEST(RunOptions, WithoutAPolicyTheDefaultOnesHaveSharesOfTheirOwn) {
  EXPECT_EQ(explore::default_policies(), option_named(kRun, "policy")->fallback);
  const explore::CampaignPlan plain = options_of({}, false).plan;
  const explore::CampaignPlan memory = options_of({}, true).plan;
  EXPECT_EQ(plain.policies.size(), 3u);
  EXPECT_EQ(plain.sync_only, 0u);
  EXPECT_EQ(memory.policies.size(), 4u);
  EXPECT_EQ(memory.sync_only, 8u);
  EXPECT_GT(memory.rota.share_of(0), memory.rota.length() / 2);
  for (size_t i = 0; i < 4; ++i) EXPECT_GT(memory.rota.share_of(i), 0u);
  const explore::CampaignPlan given = options_of({"-p", "hold", "-p", "surw"}, true).plan;
  EXPECT_EQ(given.policies.size(), 2u);
}

TEST(RunOptions, TimeHasNoDefaultWhenSchedulesAreGiven) {
  EXPECT_EQ(read_run_options(*parse({}))->seconds, 60);
  EXPECT_GT(read_run_options(*parse({"-n", "5"}))->seconds, 1e9);
  EXPECT_EQ(read_run_options(*parse({"-n", "5", "-t", "2"}))->seconds, 2);
  EXPECT_EQ(read_run_options(*parse({"--seed", "0x10"}))->plan.seed, 16u);
  EXPECT_EQ(read_run_options(*parse({"-o", "./snarl-out/"}))->output, "snarl-out");
  EXPECT_EQ(read_run_options(*parse({"-o", "/"}))->output, "/");
  EXPECT_EQ(read_run_options(*parse({"-j", "3"}))->cpus.size(), 3u);
  EXPECT_EQ(read_run_options(*parse({"--reset", "exce"})).error().exit_code, 2);
  EXPECT_EQ(read_run_options(*parse({"-p", "x"})).error().exit_code, 2);
  EXPECT_EQ(read_run_options(*parse({"-n", "0"})).error().exit_code, 2);
}

TEST(RunOptions, TimeModes) {
  EXPECT_EQ(read_run_options(*parse({}))->settings.time, TimeMode::kVirtual);
  EXPECT_EQ(read_run_options(*parse({"--time", "virtual"}))->settings.time, TimeMode::kVirtual);
  EXPECT_EQ(read_run_options(*parse({"--time=free"}))->settings.time, TimeMode::kFree);
  EXPECT_EQ(read_run_options(*parse({"--time", "real"}))->settings.time, TimeMode::kReal);
  const auto misspelt = read_run_options(*parse({"--time", "rael"})),
             duration = read_run_options(*parse({"--time", "5m"}));
  EXPECT_EQ(misspelt.error().exit_code, 2);
  EXPECT_THAT(misspelt.error().hint, HasSubstr("real"));
  EXPECT_THAT(duration.error().hint, HasSubstr("-t 5m"));
  EXPECT_THAT(options_help(kRun), HasSubstr("\n                           real: the machine's clocks"));
}

TEST(Values, Durations) {
  EXPECT_DOUBLE_EQ(*parse_duration("-t", "60s"), 60);
  EXPECT_DOUBLE_EQ(*parse_duration("-t", "500ms"), 0.5);
  EXPECT_DOUBLE_EQ(*parse_duration("-t", "2m"), 120);
  EXPECT_DOUBLE_EQ(*parse_duration("-t", "1.5"), 1.5);
  for (const char* text : {"", "s", "-1s", "0", "5 s", "5x", "inf", "nan", "1e3s", "99999999999h"})
    EXPECT_FALSE(parse_duration("-t", text)) << text;
}

TEST(Values, Seeds) {
  EXPECT_EQ(*parse_seed("--seed", "123"), 123u);
  EXPECT_EQ(*parse_seed("--seed", "0x5eed"), 0x5eedu);
  EXPECT_EQ(*parse_seed("--seed", "18446744073709551615"), ~uint64_t{0});
  for (const char* text : {"", "0x", "-1", "1 ", "0xg", "18446744073709551616"})
    EXPECT_FALSE(parse_seed("--seed", text)) << text;
}

TEST(RunOptions, Patience) {
  EXPECT_EQ(read_run_options(*parse({}))->settings.patience.blocked_after, 10u);
  EXPECT_EQ(read_run_options(*parse({}))->settings.patience.slice, 2'000'000'000u);
  EXPECT_EQ(read_run_options(*parse({"--blocked-after", "3", "--slice", "20ms"}))->settings.patience.blocked_after, 3u);
  EXPECT_EQ(read_run_options(*parse({"--blocked-after", "3", "--slice", "20ms"}))->settings.patience.slice,
            20'000'000u);
  for (const char* text : {"0", "10001", "-1", "1ms"})
    EXPECT_EQ(read_run_options(*parse({"--blocked-after", text})).error().exit_code, 2) << text;
  for (const char* text : {"0", "0.5ms", "61s", "fast"})
    EXPECT_EQ(read_run_options(*parse({"--slice", text})).error().exit_code, 2) << text;
}

TEST(RunOptions, OnceHasTheProgramsExitCodeAndBisectHasNot) {
  EXPECT_EQ(read_run_options(*parse({"--once", "--bisect"})).error().exit_code, 2);
}

TEST(Progress, OffTheTerminalIsALineEveryTenSeconds) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line(false);
    for (int tenths = 0; tenths <= 250; ++tenths) line.show({1000, 10, 4, 0, tenths / 10.0, 50});
    line.say("found deadlock");
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text,
            "snarl: 1,000 schedules  50/s  10 distinct  4 orders  0 findings  10.0 s\n"
            "snarl: 1,000 schedules  50/s  10 distinct  4 orders  0 findings  20.0 s\n"
            "snarl: found deadlock\n");
}

TEST(Progress, OfWhatFollowsAFailureIsALineEveryTwoSeconds) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line(false);
    for (int tenths = 0; tenths <= 50; ++tenths)
      line.show({.schedules = 1000, .seconds = tenths / 10.0, .phase = report::Phase::kShortening, .size = 3});
    for (int tenths = 0; tenths <= 30; ++tenths)
      line.show({.schedules = 1, .seconds = tenths / 10.0, .phase = report::Phase::kExplaining, .size = 1});
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "snarl: shortening: 1,000 schedules, 3 switches so far  2.0 s\n"
            "snarl: shortening: 1,000 schedules, 3 switches so far  4.0 s\n"
            "snarl: explaining: 1 schedule, tries 1 order  2.0 s\n");
}

TEST(Progress, OnATerminalIsOneLineThatGoesAway) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line(true);
    line.show({1, 1, 1, 0, 0.1, 10});
    line.show({2, 2, 1, 0, 0.2, 10});
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find('\n'), text.npos);
  EXPECT_TRUE(text.starts_with("\r\x1b[K1 schedules")) << text;
  EXPECT_TRUE(text.ends_with("\r\x1b[K")) << text;
}

TEST(Progress, IsOneLine) {
  report::Progress progress{
      .schedules = 1234567, .distinct = 89, .orders = 12, .findings = 1, .seconds = 2.13, .rate = 567.4};
  EXPECT_EQ(progress_text(progress), "1,234,567 schedules  567/s  89 distinct  12 orders  1 finding  2.1 s");
  progress.limit = 60;
  EXPECT_EQ(progress_text(progress), "1,234,567 schedules  567/s  89 distinct  12 orders  1 finding  2.1 of 60 s");
  progress.most_schedules = 2'000'000;
  EXPECT_EQ(progress_text(progress),
            "1,234,567 of 2,000,000 schedules  567/s  89 distinct  12 orders  1 finding  2.1 of 60 s");
}

}  // namespace
}  // namespace snarl::cli
