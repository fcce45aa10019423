#include "cli/run_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "cli/expectations.h"
#include "cli/launcher.h"
#include "cli/values.h"
#include "explore/campaign/default_mix.h"
#include "explore/target/call_entries.h"
#include "explore/target/policy_spec.h"
#include "os/cores.h"
#include "os/read_file.h"
#include "schedule/point_levels.h"

namespace snarl::cli {
namespace {

// Most failures are found before: a process more would only delay them. It starts as fast as so many copies are made.
constexpr uint64_t kRewindsAt = 64;

constexpr const char* kRaceModes = "report|stop|off";

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
  options.explain = !arguments.has("no-explain");
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
  Expected<size_t> reset = parse_choice(arguments.label("reset"), arguments.get("reset"), "auto|fork|exec|rewind");
  if (!reset) return reset.error();
  constexpr wire::Reset kResets[] = {wire::Reset::kRewind, wire::Reset::kFork, wire::Reset::kExec,
                                     wire::Reset::kRewind};
  options.reset = kResets[*reset];
  options.rewinds_at = *reset == 0 ? kRewindsAt : 0;
  Expected<uint64_t> every = parse_count(arguments.label("rewind-check"), arguments.get("rewind-check"), 1, 1'000'000);
  if (!every) return every.error();
  options.rewind_check = *every;
  Expected<size_t> orders = parse_choice(arguments.label("orders"), arguments.get("orders"), "on|off");
  if (!orders) return orders.error();
  options.plan.orders = *orders == 0;
  Expected<explore::Switching> switching = read_switching(arguments);
  if (!switching) return switching.error();
  options.switching = *switching;
  const bool on_gates = options.switching == explore::Switching::kGates;
  if (options.rewinds_at != 0 && on_gates) options.reset = wire::Reset::kFork;
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
  explore::add_call_rule(options.plan.policies, options.functions);
  if (options.functions.size() <= kMaxFunctionRules && to_text(options.functions).size() < wire::kMaxFunctionText)
    return Done{};
  return Error{fmt::format("more than {} functions are named", kMaxFunctionRules),
               "one pattern can name many: 'queue::*'", 2};
}

Status read_files(const Arguments& arguments, RunOptions& options) {
  if (arguments.verb() != kRun && arguments.verb() != kLanes) return Done{};
  Expected<OutputFiles> files = read_output_files(arguments, options.json);
  if (!files) return files.error();
  options.files = std::move(*files);
  Expected<size_t> when =
      parse_choice(arguments.label("annotations"), arguments.get("annotations"), "auto|always|never");
  if (!when) return when.error();
  options.annotations = *when == 0 ? is_github_job() : *when == 1;
  return Done{};
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

// Where nobody says anything: accesses are told of in programs that were built for it, at little cost where they are
// points anyway.
Status read_races(const Arguments& arguments, Recorded recorded, RunSettings& settings) {
  if (recorded == Recorded::kSchedule && !arguments.has("races")) return Done{};
  Expected<size_t> mode = parse_choice(arguments.label("races"), arguments.get("races"), kRaceModes);
  if (!mode) return mode.error();
  settings.races = *mode != 2 && (arguments.has("races") || has_memory_points(settings.points));
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
        take("points", settings.points, parse_points), read_patience(arguments, settings.patience),
        read_races(arguments, recorded, settings)})
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

Status read_outputs(const Arguments& arguments, RunOptions& options) {
  Expected<ColorMode> color = read_color(arguments);
  if (!color) return color.error();
  options.color = *color;
  options.json = arguments.has("json");
  options.output = plain_path(arguments.get("output"));
  return read_files(arguments, options);
}

std::string plain_path(const std::string& path) {
  std::string plain = std::filesystem::path(path).lexically_normal();
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  return plain;
}

namespace {

Status check_prediction(const Arguments& arguments, RunOptions& options) {
  if (arguments.has("once"))
    return Error{"--once and --predict exclude each other", "-n 1 --predict predicts from one schedule", 2};
  if (options.own_races && !options.settings.races)
    return Error{"--predict needs --races report: what it predicts is races", {}, 2};
  if (options.own_points && !has_memory_points(options.settings.points))
    return Error{"--predict needs memory points: without them a trace has no accesses", "add memory to --points", 2};
  options.plan.needs_hooks = true;
  return Done{};
}

}  // namespace

Expected<RunOptions> read_run_options(const Arguments& arguments) {
  RunOptions options;
  for (const Status& status :
       {read_policies(arguments, options.plan), read_limits(arguments, options), read_jobs(arguments, options),
        read_modes(arguments, options), read_settings(arguments, Recorded::kNothing, options.settings),
        read_seed(arguments, options), read_suppressions(arguments, options), read_functions(arguments, options),
        read_fairness(arguments, options.plan), read_expectations(arguments, options)})
    if (!status) return status.error();
  options.own_points = arguments.has("points");
  options.own_races = arguments.has("races");
  options.own_policies = !options.plan.policies.empty();
  options.plan.keep_going = arguments.has("keep-going");
  options.stop_at_race = arguments.get("races") == "stop";
  options.plan.needs_hooks = arguments.has("races") && options.settings.races;
  options.predict = arguments.has("predict");
  if (options.predict)
    if (Status fits = check_prediction(arguments, options); !fits) return fits.error();
  options.output = plain_path(arguments.get("output"));
  options.json = arguments.has("json");
  if (arguments.verb() == kRun) options.corpus = arguments.get("corpus");
  if (Status read = read_files(arguments, options); !read) return read.error();
  options.once = arguments.has("once");
  if (options.once && !arguments.has("races")) options.settings.races = false;
  options.launcher = arguments.has("launcher");
  options.follow = arguments.has("follow");
  if (options.follow && (options.once || options.launcher))
    return Error{fmt::format("--follow and --{} exclude each other", options.once ? "once" : "launcher"), {}, 2};
  if (options.launcher) set_launcher_defaults(arguments, options);
  if (const Given* count = arguments.given("schedules");
      options.once && count != nullptr && count->source == Source::kFlag)
    return Error{"--once and -n exclude each other", "--once is one schedule", 2};
  if (options.once && !options.files.files.empty())
    return Error{fmt::format("--once and --{} exclude each other", options.files.files.front().format->option),
                 "--once judges nothing", 2};
  if (options.once && arguments.has("bisect"))
    return Error{"--once and --bisect exclude each other",
                 "--once has the program's exit code, --bisect has 0, 1 and 125", 2};
  return options;
}

void fit_to_build(const explore::Target& target, RunOptions& options) {
  if (!options.own_points) options.settings.points = kDefaultPoints | (target.has_hooks ? kMemoryPoints : 0);
  if (options.predict) options.settings.points |= kMemoryPoints;
  if (!options.own_races) options.settings.races = has_memory_points(options.settings.points) && !options.once;
  if (!options.own_policies) explore::set_default_policies(options.settings.points, options.plan);
}

}  // namespace snarl::cli
