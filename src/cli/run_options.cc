#include "cli/run_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "cli/values.h"
#include "explore/cores.h"
#include "explore/nearest.h"
#include "explore/policy_spec.h"

namespace snarl {
namespace {

constexpr const char* kDefaultPolicies[] = {"random", "pct:depth=3"};
constexpr int kProfilingRuns = 3;

Status read_policies(const Arguments& arguments, CampaignPlan& plan) {
  std::vector<std::string> texts = arguments.all("policy");
  if (texts.empty()) texts.assign(std::begin(kDefaultPolicies), std::end(kDefaultPolicies));
  for (const std::string& text : texts) {
    Expected<PolicySpec> spec = parse_policy(text);
    if (!spec) return spec.error();
    plan.policies.push_back(*spec);
  }
  Expected<PolicySpec> profiler = parse_policy("random");
  if (!profiler) return profiler.error();
  plan.profilers.assign(kProfilingRuns, *profiler);
  return Done{};
}

Status read_limits(const Arguments& arguments, RunOptions& options) {
  options.seconds = 60;
  if (arguments.has("schedules")) {
    Expected<uint64_t> count = parse_count("-n", arguments.get("schedules"), 1, uint64_t{1} << 62);
    if (!count) return count.error();
    options.plan.schedules = *count;
    options.seconds = std::numeric_limits<double>::infinity();
  }
  if (arguments.has("for")) {
    Expected<double> seconds = parse_duration("-t", arguments.get("for"));
    if (!seconds) return seconds.error();
    options.seconds = *seconds;
  }
  const std::string timeout = arguments.get("timeout"), steps = arguments.get("steps");
  Expected<double> longest = parse_duration("--timeout", timeout.empty() ? "10s" : timeout);
  if (!longest) return longest.error();
  Expected<uint64_t> budget = parse_count("--steps", steps.empty() ? "1000000" : steps, 0, uint64_t{1} << 62);
  if (!budget) return budget.error();
  options.timeout = *longest;
  options.step_budget = *budget;
  return Done{};
}

// Worker i is pinned to the i-th core that we may use.
Status read_jobs(const Arguments& arguments, RunOptions& options) {
  const std::vector<int> cores = allowed_cores();
  uint64_t jobs = cores.size();
  if (arguments.has("jobs")) {
    Expected<uint64_t> given = parse_count("-j", arguments.get("jobs"), 1, 512);
    if (!given) return given.error();
    jobs = *given;
  }
  for (uint64_t i = 0; i < jobs; ++i) options.cpus.push_back(cores[i % cores.size()]);
  return Done{};
}

Status read_time(const Arguments& arguments, RunOptions& options) {
  if (!arguments.has("time")) return Done{};
  Expected<wire::Time> time = parse_time_mode(arguments.get("time"));
  if (!time) return time.error();
  options.time = *time;
  return Done{};
}

Status read_fairness(const Arguments& arguments, CampaignPlan& plan) {
  if (!arguments.has("fairness")) return Done{};
  const std::string text = arguments.get("fairness");
  Expected<double> chance = text == "off" ? Expected<double>(0.0) : parse_chance("--fairness", text);
  if (!chance) return chance.error();
  plan.fairness = *chance;
  return Done{};
}

Status read_reset(const Arguments& arguments, RunOptions& options) {
  const std::string reset = arguments.get("reset");
  if (reset.empty() || reset == "fork") return Done{};
  options.reset = wire::Reset::kExec;
  if (reset == "exec") return Done{};
  const std::string near = nearest(reset, {"fork", "exec"});
  return Error{fmt::format("--reset: \"{}\" is neither fork nor exec", reset),
               near.empty() ? "" : fmt::format("did you mean {}?", near), 2};
}

// "snarl-out" for "./snarl-out/": there `snarl replay` finds it by number.
std::string plain_path(const std::string& path) {
  std::string plain = std::filesystem::path(path).lexically_normal();
  while (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  return plain;
}

}  // namespace

Expected<RunOptions> read_run_options(const Arguments& arguments) {
  RunOptions options;
  for (const Status& status : {read_policies(arguments, options.plan), read_limits(arguments, options),
                               read_jobs(arguments, options), read_time(arguments, options),
                               read_fairness(arguments, options.plan),
                               read_reset(arguments, options)})
    if (!status) return status.error();
  options.plan.seed = random_seed();
  if (arguments.has("seed")) {
    Expected<uint64_t> seed = parse_seed(arguments.get("seed"));
    if (!seed) return seed.error();
    options.plan.seed = *seed;
  }
  options.plan.keep_going = arguments.has("keep-going");
  options.output = arguments.has("output") ? plain_path(arguments.get("output")) : "snarl-out";
  options.json = arguments.has("json");
  options.once = arguments.has("once");
  return options;
}

}  // namespace snarl
