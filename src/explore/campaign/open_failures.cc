#include "explore/campaign/open_failures.h"

#include <algorithm>

#include "explain/signature.h"

namespace snarl::explore {

std::vector<std::string> OpenFailures::note(record::RunRecord& record) {
  std::vector<std::string> signatures;
  std::set<std::string> met;
  for (const record::Failure& failure : explain::failures_of(record)) {
    record.failure = failure;
    const std::string signature = explain::signature_of(record);
    if (!met.insert(signature).second) continue;
    note(signature, record);
    if (!suppressed_.contains(signature)) signatures.push_back(signature);
  }
  record.failure = {};
  return signatures;
}

void OpenFailures::note_possible(record::RunRecord& record) {
  for (const record::Failure& failure : explain::possible_races_of(record)) {
    record.failure = failure;
    if (seen_.contains(explain::signature_of_race(record, *explain::possible_race_of(record)))) continue;
    note(explain::signature_of(record), record);
  }
  record.failure = {};
}

bool OpenFailures::note_predicted(const record::RunRecord& race) {
  if (seen_.contains(explain::signature_of_race(race, *explain::possible_race_of(race)))) return true;
  note(explain::signature_of(race), race);
  return false;
}

bool OpenFailures::note_found(const std::string& signature, const record::RunRecord& record) {
  if (seen_.contains(signature)) return false;
  Seen& seen = seen_[signature];
  seen.by_policy.resize(policies_);
  ++seen.by_policy[rota_.policy_at(record.key.index)];
  seen.schedules = 1;
  return true;
}

void OpenFailures::note(const std::string& signature, const record::RunRecord& record) {
  Seen& seen = seen_[signature];
  seen.by_policy.resize(policies_);
  ++seen.by_policy[rota_.policy_at(record.key.index)];
  const bool looked_at = seen.schedules++ != 0 && !pending_.contains(signature);
  if (looked_at) return;
  const auto [at, is_new] = pending_.try_emplace(signature, record);
  if (!is_new && record.key.index < at->second.key.index) at->second = record;
}

void OpenFailures::hold(const RunOrder& order, std::vector<std::string> signatures) {
  const bool decided = std::ranges::none_of(signatures, [&](const auto& s) { return pending_.contains(s); });
  if (!decided) undecided_.push_back({order, std::move(signatures)});
}

OpenFailures::Pending::const_iterator OpenFailures::first() const {
  return std::ranges::min_element(pending_, {},
                                  [](const auto& p) { return std::pair(p.second.key.index, p.second.failure); });
}

std::pair<std::string, record::RunRecord> OpenFailures::take_first() {
  auto node = pending_.extract(first());
  return {std::move(node.key()), std::move(node.mapped())};
}

std::vector<RunOrder> OpenFailures::decide() {
  std::vector<RunOrder> forgiven;
  for (Undecided& run : undecided_)
    if (std::ranges::all_of(run.signatures, [&](const auto& s) { return suppressed_.contains(s); }))
      forgiven.push_back(std::move(run.order));
  undecided_.clear();
  return forgiven;
}

std::vector<OpenFailures::Undecided>::const_iterator OpenFailures::held(const record::RunRecord& record) const {
  return std::ranges::find_if(undecided_,
                              [&](const Undecided& run) { return run.order.key.index == record.key.index; });
}

bool OpenFailures::was_shared(const record::RunRecord& record) const {
  const auto at = held(record);
  return at != undecided_.end() && at->order.shared;
}

RunOrder OpenFailures::withdraw(const std::string& signature, const record::RunRecord& record) {
  seen_.erase(signature);
  std::erase_if(pending_, [&](const auto& p) { return p.second.key.index == record.key.index; });
  const auto at = held(record);
  RunOrder order = at->order;
  undecided_.erase(at);
  return order;
}

void OpenFailures::forget(const std::string& signature) {
  seen_.erase(signature);
  for (const auto& [pending, record] : pending_) seen_.erase(pending);
  pending_.clear();
  undecided_.clear();
}

}  // namespace snarl::explore
