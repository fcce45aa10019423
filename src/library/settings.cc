#include "library/settings.h"

#include <snarl/c.h>

#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "cli/installation.h"
#include "cli/values.h"
#include "explore/target/policy_files.h"
#include "explore/target/policy_spec.h"
#include "policy/catalog.h"
#include "runtime/hooks/compiled_in.h"
#include "schedule/point_levels.h"
#include "schedule/replay_string.h"
#include "wire/batch.h"

namespace snarl::library {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Callers that were compiled before it was there don't have the field.
std::string points_of(const snarl_options& given) {
  return given.size >= offsetof(snarl_options, result_size) && given.points != nullptr ? given.points : "";
}

std::string text(const char* given) { return given == nullptr ? "" : given; }

// Takes the value of an environment variable, if it is set.
template <typename T, typename Parse>
Status take(const char* name, T& into, Parse parse) {
  const std::string value = variable(name);
  if (value.empty()) return Done{};
  auto parsed = parse(value);
  if (!parsed) return parsed.error();
  into = static_cast<T>(*parsed);
  return Done{};
}

auto count_of(const char* name) {
  return [name](const std::string& value) { return cli::parse_count(name, value, 0, uint64_t{1} << 62); };
}
auto seconds_of(const char* name) {
  return [name](const std::string& value) { return cli::parse_duration(name, value); };
}

// Of the policy before it: a parameter, or the next number of a list.
bool is_continued_by(const std::string& part) {
  return std::isdigit(static_cast<unsigned char>(part[0])) != 0 ||
         (part.find('=') != part.npos && part.find(':') == part.npos);
}

// "a,b:x=1,y=2": a comma is followed by a policy, or by what belongs to the one before it.
std::vector<std::string> split_policies(const std::string& list) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    std::string part = list.substr(at, end - at);
    part.erase(0, part.find_first_not_of(' '));
    if (!parts.empty() && !part.empty() && is_continued_by(part))
      parts.back() += "," + part;
    else if (!part.empty())
      parts.push_back(part);
    at = end + 1;
  }
  return parts;
}

Status read_policies(const std::string& list, Settings& settings) {
  for (const std::string& part : split_policies(list)) {
    Expected<PolicySpec> policy = explore::parse_policy(part);
    if (!policy) return policy.error();
    if (const policy::Traits traits = policy::traits_of(*policy); traits.parallel && !traits.also_serial)
      return Error{part + " lets threads run free, which library mode does not: use a serial policy", {}, 2};
    settings.policies.push_back(*policy);
  }
  if (settings.policies.empty() || settings.policies.size() > wire::kMaxBatchPolicies)
    return Error{"a test has from 1 to 16 policies", {}, 2};
  return explore::load_policy_files(settings.policies, settings.setup);
}

Status read_reset(Settings& settings) {
  const std::string reset = variable("SNARL_RESET");
  if (reset.empty()) return Done{};
  const Expected<size_t> choice = cli::parse_choice("SNARL_RESET", reset, "none|fork");
  if (!choice) return choice.error();
  settings.stays = *choice == 0;
  if (!settings.stays) settings.stays_why = "SNARL_RESET says so";
  return Done{};
}

// By default, all that the build allows. A replay has the points of its recording.
Expected<PointSet> points_for(const Settings& settings, const std::string& list, bool hooked) {
  if (!settings.replay.empty()) {
    const Expected<Replay> recorded = parse_replay_string(settings.replay);
    if (!recorded) return recorded.error();
    return recorded->points;
  }
  return list.empty() ? (hooked ? kDefaultPoints | kMemoryPoints : kDefaultPoints) : parse_points("points", list);
}

Status read_points(const std::string& list, Settings& settings) {
  const bool hooked = runtime::compiled_in::have_asked();
  const Expected<PointSet> points = points_for(settings, list, hooked);
  if (!points) return points.error();
  settings.setup.settings.points = *points | kUserPoints;
  settings.patches = (*points & kAtomicPoints) != 0;
  if (settings.patches) settings.setup.cache = cli::cache_folder(variable("SNARL_CACHE"));
  return check_hooks(*points, hooked);
}

Status read_switching(Settings& settings) {
  const std::string switching = variable("SNARL_SWITCHING");
  if (switching.empty()) return Done{};
  const Expected<size_t> choice = cli::parse_choice("SNARL_SWITCHING", switching, "gates|fibers");
  if (!choice) return choice.error();
  settings.fibers = *choice == 1;
  return Done{};
}

Status read_orders(Settings& settings) {
  const std::string orders = variable("SNARL_ORDERS");
  if (orders.empty()) return Done{};
  const Expected<size_t> choice = cli::parse_choice("SNARL_ORDERS", orders, "on|off");
  if (!choice) return choice.error();
  settings.orders = *choice == 0;
  return Done{};
}

// With memory points, threads that stand at conflicting accesses are a failure like any other.
Status read_races(Settings& settings) {
  RunSettings& run = settings.setup.settings;
  run.races = has_memory_points(run.points);
  const std::string races = variable("SNARL_RACES");
  if (races.empty()) return Done{};
  const Expected<size_t> choice = cli::parse_choice("SNARL_RACES", races, "report|stop|off");
  if (!choice) return choice.error();
  run.races = run.races && *choice != 2;
  return Done{};
}

Status read_environment(Settings& settings) {
  if (Status s = take("SNARL_SCHEDULES", settings.schedules, count_of("SNARL_SCHEDULES")); !s) return s;
  if (Status s = take("SNARL_FOR", settings.seconds, seconds_of("SNARL_FOR")); !s) return s;
  if (Status s = take("SNARL_TIMEOUT", settings.setup.timeout, seconds_of("SNARL_TIMEOUT")); !s) return s;
  if (Status s = take("SNARL_STEPS", settings.setup.settings.step_budget, count_of("SNARL_STEPS")); !s) return s;
  const auto seed = [](const std::string& value) { return cli::parse_seed("SNARL_SEED", value); };
  if (Status s = take("SNARL_SEED", settings.seed, seed); !s) return s;
  if (const std::string replay = variable("SNARL_REPLAY"); !replay.empty()) settings.replay = replay;
  if (Status s = read_switching(settings); !s) return s;
  if (Status s = read_orders(settings); !s) return s;
  return read_reset(settings);
}

}  // namespace

Expected<Settings> read_settings(const snarl_options& given) {
  Settings settings;
  if (given.schedules != 0) settings.schedules = given.schedules;
  if (given.seconds > 0) settings.seconds = given.seconds;
  if (given.timeout > 0) settings.setup.timeout = given.timeout;
  if (given.steps != 0) settings.setup.settings.step_budget = given.steps;
  settings.seed = given.seed;
  settings.watches_heap = given.heap != 0;
  settings.stays = given.fork == 0;
  if (given.fork != 0) settings.stays_why = "the test asks for it";
  settings.fibers = given.gates == 0;
  settings.name = text(given.name);
  settings.filter = text(given.filter);
  settings.replay = text(given.replay);
  settings.prepare = given.prepare;
  if (Status read = read_environment(settings); !read) return read.error();
  const std::string points = variable("SNARL_POINTS");
  if (Status read = read_points(points.empty() ? points_of(given) : points, settings); !read) return read.error();
  if (Status read = read_races(settings); !read) return read.error();
  std::string policies = variable("SNARL_POLICY");
  if (policies.empty()) policies = text(given.policy);
  if (policies.empty()) return settings;
  if (Status read = read_policies(policies, settings); !read) return read.error();
  return settings;
}

}  // namespace snarl::library
