#include "request.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "cli/options.h"
#include "explore/target/policy_spec.h"
#include "policy/catalog.h"

namespace snarl::bench {
namespace {

using cli::split;

// Efforts. All programs and contenders are to end within 40 minutes on two cores. On an idle machine a hundred threads
// take their schedules in a third of the time of an exploration: misses for lack of time are those of a busy machine.
constexpr int kManySeeds = 20, kFewSeeds = 5, kManySchedules = 10'000, kFewSchedules = 2'000;
constexpr double kLong = 120, kLongCell = 40, kShort = 30, kShortCell = 3;

// What ran without -p before there was a policy that learns which sites conflict.
constexpr std::string_view kOld = "random+pct:depth=2+pct:depth=3+pos";
constexpr std::string_view kThorough[] = {"default", "surw", "pos", "pct", "old"};

std::string arguments_of(std::string_view name) {
  std::string arguments;
  if (name == "default") return arguments;
  for (const std::string& policy : split(name == "old" ? kOld : name, "+"))
    arguments += fmt::format(" -p '{}'", policy);
  return arguments;
}

Contender thorough(std::string_view name, int seeds) {
  return {std::string(name), arguments_of(name), seeds, kManySchedules, kLong, kLongCell};
}

bool competes(const policy::PolicyInfo& info) {
  return info.for_users && info.promises.searches && info.file == nullptr &&
         !explore::is_parallel(policy::trial_spec(info));
}

std::vector<Contender> everybody() {
  std::vector<Contender> all;
  for (const std::string_view name : kThorough) all.push_back(thorough(name, kManySeeds));
  for (const policy::PolicyInfo& info : policy::policy_catalog()) {
    const std::string_view name = info.name;
    if (!competes(info) || name == "surw" || name == "pos" || name == "pct") continue;
    all.push_back({info.name, arguments_of(explore::to_string(policy::trial_spec(info))), kFewSeeds, kFewSchedules,
                   kShort, kShortCell});
  }
  return all;
}

bool names_policy(std::string_view word) {
  const std::string name(word.substr(0, word.find_first_of(":,+")));
  return name == "default" || name == "old" || policy::policy_named(name.c_str()) >= 0;
}

// "pct:depth=2,steps=50,surw" is two policies: a parameter belongs to the policy before it.
std::vector<std::string> policies_in(std::string_view word) {
  std::vector<std::string> policies;
  for (const std::string& part : split(word, ","))
    if (names_policy(part) || policies.empty())
      policies.push_back(part);
    else
      policies.back() += "," + part;
  return policies;
}

}  // namespace

Request read_request(std::span<char* const> words) {
  Request request;
  std::vector<std::string> policies;
  int seeds = kFewSeeds;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "tuning" || word == "reporting") {
      request.tuning = word == "tuning";
      request.reporting = !request.tuning;
    } else if (word == "--seeds" && i + 1 < words.size()) {
      seeds = std::atoi(words[++i]);
    } else if (names_policy(word)) {
      policies = policies_in(word);
    } else if (word != "all") {
      request.only = word;
    }
  }
  for (const std::string& policy : policies) request.contenders.push_back(thorough(policy, seeds));
  if (policies.empty()) request.contenders = everybody();
  request.whole = policies.empty() && request.only.empty();
  return request;
}

}  // namespace snarl::bench
