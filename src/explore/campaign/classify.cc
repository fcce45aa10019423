#include "explore/campaign/classify.h"

#include "explore/target/policy_spec.h"
#include "policy/catalog.h"
#include "policy/noise_separating.h"

namespace snarl::explore {
namespace {

constexpr const char* kGroupWords[kGroupings] = {"place", "context", "variable"};

policy::Subset subset_of(const SubsetRuns& runs, uint64_t index) {
  Run run;
  run.key.seed = runs.seed;
  run.key.index = run.key.turn = index;
  run.key.policy = runs.policy;
  return policy::NoiseSeparating::half(run);
}

void count(const SubsetRuns& runs, uint64_t index, const std::vector<uint64_t>& names,
           std::vector<report::ClassifiedGroup>& groups) {
  const policy::Subset subset = subset_of(runs, index);
  const bool failed = runs.failing.contains(index);
  for (size_t i = 0; i < names.size(); ++i) {
    report::Half& half = subset.has(names[i]) ? groups[i].with : groups[i].without;
    ++half.schedules;
    half.failing += failed;
  }
}

}  // namespace

Status check_classifies(const PolicySpec& policy) {
  const auto family =
      static_cast<policy::NoiseSeparating::Family>(parameter(policy, "family", policy::NoiseSeparating::kExact));
  if (policy_name(policy) == "noise-separating" && family == policy::NoiseSeparating::kRandom) return Done{};
  return Error{"places are told apart by runs with random subsets only, not by " + std::string(policy_name(policy)),
               "give -p noise-separating with family=random, and group=, make= or strength= as you like", 2};
}

report::Classification classify(const SubsetRuns& runs, const record::GroupTable& table, record::GroupText& text) {
  const GroupBy by = policy::traits_of(runs.policy).group_by;
  report::Classification result;
  result.policy = to_string(runs.policy);
  result.group = kGroupWords[static_cast<size_t>(by)];
  result.seed = runs.seed;
  result.schedules = runs.runs - runs.missing.size();
  result.failing = runs.failing.size();
  std::vector<uint64_t> names;
  for (const auto& [name, group] : table.of(by)) {
    names.push_back(name);
    result.groups.push_back({.text = text(group), .with = {}, .without = {}});
  }
  for (uint64_t index = 0; index < runs.runs; ++index)
    if (!runs.missing.contains(index)) count(runs, index, names, result.groups);
  report::sort_groups(result.groups);
  return result;
}

}  // namespace snarl::explore
