#include "cli/run_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "cli/expectations.h"
#include "cli/launcher.h"
#include "cli/values.h"
#include "explore/campaign/default_mix.h"
#include "explore/target/policy_spec.h"
#include "os/cores.h"
#include "os/read_file.h"
#include "schedule/point_levels.h"

namespace snarl::cli {
namespace {

constexpr int kProfilingRuns = 3;

Status read_policies(const Arguments& arguments, explore::CampaignPlan& plan) {
  Expected<PolicySpec> profiler = explore::parse_policy("random");
  if (!profiler) return profiler.error();
  plan.profilers.assign(kProfilingRuns, *profiler);
  const Given* given = arguments.given("policy");
  if (given == nullptr && fmt::format("{}", fmt::join(arguments.all("policy"), ", ")) == explore::default_policies())
    return Done{};
  for (const std::string& text : arguments.all("policy")) {
    Expected<PolicySpec> spec = explore::parse_policy(text);
    if (!spec && given != nullptr && given->source != Source::kFlag)
      return Error{fmt::format("{}: {}", given->origin, spec.error().message), spec.error().hint, 2};
    if (!spec) return spec.error();
    plan.policies.push_back(*spec);
  }
  return Done{};
}

Status read_limits(const Arguments& arguments, RunOptions& options) {
  options.seconds = 60;
  if (arguments.has("schedules")) {
    Expected<uint64_t> count =
        parse_count(arguments.label("schedules"), arguments.get("schedules"), 1, uint64_t{1} << 62);
    if (!count) return count.error();
    options.plan.schedules = *count;
    options.seconds = std::numeric_limits<double>::infinity();
  }
  if (arguments.has("for")) {
    Expected<double> seconds = parse_duration(arguments.label("for"), arguments.get("for"));
    if (!seconds) return seconds.error();
    options.seconds = *seconds;
  }
  if (arguments.get("after-finding") != "0") {
    Expected<double> after = parse_duration(arguments.label("after-finding"), arguments.get("after-finding"));
    if (!after) return after.error();
    options.after_finding = *after;
  }
  options.shorten = !arguments.has("no-minimize");
  Expected<double> longest = parse_duration(arguments.label("timeout"), arguments.get("timeout"));
  if (!longest) return longest.error();
  options.timeout = *longest;
  return Done{};
}

// One core for each worker; which ones they are depends on other runs (os/core_claims.h).
Status read_jobs(const Arguments& arguments, RunOptions& options) {
  const std::vector<int> cores = os::allowed_cores();
  uint64_t jobs = cores.size();
  if (arguments.has("jobs")) {
    Expected<uint64_t> given = parse_count(arguments.label("jobs"), arguments.get("jobs"), 1, 512);
    if (!given) return given.error();
    jobs = *given;
  }
  for (uint64_t i = 0; i < jobs; ++i) options.cpus.push_back(cores[i % cores.size()]);
  return Done{};
}

Status read_modes(const Arguments& arguments, RunOptions& options) {
  Expected<size_t> reset = parse_choice(arguments.label("reset"), arguments.get("reset"), "fork|exec");
  if (!reset) return reset.error();
  options.reset = *reset == 0 ? wire::Reset::kFork : wire::Reset::kExec;
  Expected<size_t> orders = parse_choice(arguments.label("orders"), arguments.get("orders"), "on|off");
  if (!orders) return orders.error();
  options.plan.orders = *orders == 0;
  Expected<explore::Switching> switching = read_switching(arguments);
  if (!switching) return switching.error();
  options.switching = *switching;
  Expected<ColorMode> color = read_color(arguments);
  if (!color) return color.error();
  options.color = *color;
  return Done{};
}

Status read_suppressions(const Arguments& arguments, RunOptions& options) {
  options.suppressions_file = arguments.get("suppressions");
  if (options.suppressions_file.empty()) return Done{};
  Expected<std::string> text = os::read_file(options.suppressions_file, 2);
  if (!text) return text.error();
  Expected<std::vector<report::Suppression>> suppressions =
      report::parse_suppressions(*text, options.suppressions_file);
  if (!suppressions) return suppressions.error();
  options.suppressions = std::move(*suppressions);
  return Done{};
}

// Those of --point-at and of --locks.
Status read_functions(const Arguments& arguments, RunOptions& options) {
  for (const std::string& name : arguments.all("point-at")) {
    if (name.empty())
      return Error{fmt::format("{}: the name of a function is missing", arguments.label("point-at")), {}, 2};
    options.functions.push_back({.use = FunctionUse::kPoint, .pattern = name});
  }
  if (const std::string file = arguments.get("locks"); !file.empty()) {
    Expected<std::string> text = os::read_file(file, 2);
    if (!text) return text.error();
    Expected<std::vector<FunctionRule>> rules = parse_function_rules(*text, file);
    if (!rules) return rules.error();
    options.functions.insert(options.functions.end(), rules->begin(), rules->end());
  }
  if (options.functions.size() <= kMaxFunctionRules && to_text(options.functions).size() < wire::kMaxFunctionText)
    return Done{};
  return Error{fmt::format("more than {} functions are named", kMaxFunctionRules),
               "one pattern can name many: 'queue::*'", 2};
}

Status read_fairness(const Arguments& arguments, explore::CampaignPlan& plan) {
  if (!arguments.has("fairness")) return Done{};
  const std::string text = arguments.get("fairness");
  Expected<double> chance = text == "off" ? Expected<double>(0.0) : parse_chance(arguments.label("fairness"), text);
  if (!chance) return chance.error();
  plan.fairness = *chance;
  return Done{};
}

Status read_seed(const Arguments& arguments, RunOptions& options) {
  options.plan.seed = random_seed();
  if (!arguments.has("seed")) return Done{};
  Expected<uint64_t> seed = parse_seed(arguments.label("seed"), arguments.get("seed"));
  if (!seed) return seed.error();
  options.plan.seed = *seed;
  return Done{};
}

Status read_patience(const Arguments& arguments, Patience& patience) {
  // A slice below the time between two looks, or one that outlasts any timeout, would do nothing.
  constexpr double kLeastSlice = 0.001, kMostSlice = 60;
  Expected<uint64_t> looks = parse_count(arguments.label("blocked-after"), arguments.get("blocked-after"), 1, 10'000);
  if (!looks) return looks.error();
  const std::string slice = arguments.get("slice");
  Expected<double> seconds = parse_duration(arguments.label("slice"), slice);
  if (!seconds) return seconds.error();
  if (*seconds < kLeastSlice || *seconds > kMostSlice)
    return Error{fmt::format("{}: \"{}\" is not from 1ms to 60s", arguments.label("slice"), slice), {}, 2};
  patience = {.blocked_after = static_cast<uint32_t>(*looks), .slice = static_cast<uint64_t>(*seconds * 1e9)};
  return Done{};
}

}  // namespace

Status read_settings(const Arguments& arguments, Recorded recorded, RunSettings& settings) {
  // Takes the option's value, whichever it is, unless the schedule has one that nobody overrules.
  const auto take = [&](const char* name, auto& setting, auto parse) -> Status {
    if (recorded == Recorded::kSchedule && !arguments.has(name)) return Done{};
    const auto value = parse(arguments.label(name), arguments.get(name));
    if (!value) return value.error();
    setting = *value;
    return Done{};
  };
  Expected<uint64_t> steps = parse_count(arguments.label("steps"), arguments.get("steps"), 0, uint64_t{1} << 62);
  if (!steps) return steps.error();
  settings.step_budget = *steps;
  settings.misuse = !arguments.has("no-misuse");
  for (const Status& status :
       {take("time", settings.time, parse_time_mode), take("random", settings.random, parse_random_mode),
        take("points", settings.points, parse_points), read_patience(arguments, settings.patience)})
    if (!status) return status.error();
  return Done{};
}

Expected<explore::Switching> read_switching(const Arguments& arguments) {
  Expected<size_t> layer = parse_choice(arguments.label("switching"), arguments.get("switching"), "auto|fibers|gates");
  if (!layer) return layer.error();
  return static_cast<explore::Switching>(*layer);
}

Expected<ColorMode> read_color(const Arguments& arguments) {
  Expected<size_t> mode = parse_choice(arguments.label("color"), arguments.get("color"), "auto|always|never");
  if (!mode) return mode.error();
  return static_cast<ColorMode>(*mode);
}

std::string plain_path(const std::string& path) {
  std::string plain = std::filesystem::path(path).lexically_normal();
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  return plain;
}

Expected<RunOptions> read_run_options(const Arguments& arguments) {
  RunOptions options;
  for (const Status& status :
       {read_policies(arguments, options.plan), read_limits(arguments, options), read_jobs(arguments, options),
        read_modes(arguments, options), read_settings(arguments, Recorded::kNothing, options.settings),
        read_seed(arguments, options), read_suppressions(arguments, options), read_functions(arguments, options),
        read_fairness(arguments, options.plan), read_expectations(arguments, options)})
    if (!status) return status.error();
  if (options.plan.policies.empty()) explore::set_default_policies(options.settings.points, options.plan);
  options.plan.keep_going = arguments.has("keep-going");
  options.output = plain_path(arguments.get("output"));
  options.json = arguments.has("json");
  options.once = arguments.has("once");
  options.launcher = arguments.has("launcher");
  options.follow = arguments.has("follow");
  if (options.follow && (options.once || options.launcher))
    return Error{fmt::format("--follow and --{} exclude each other", options.once ? "once" : "launcher"), {}, 2};
  if (options.launcher) set_launcher_defaults(arguments, options);
  if (const Given* count = arguments.given("schedules");
      options.once && count != nullptr && count->source == Source::kFlag)
    return Error{"--once and -n exclude each other", "--once is one schedule", 2};
  if (options.once && arguments.has("bisect"))
    return Error{"--once and --bisect exclude each other",
                 "--once has the program's exit code, --bisect has 0, 1 and 125", 2};
  return options;
}

Status check_run_options(const Arguments& arguments) {
  const Expected<RunOptions> options = read_run_options(arguments);
  return options ? Status(Done{}) : options.error();
}

}  // namespace snarl::cli
