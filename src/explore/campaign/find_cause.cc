#include "explore/campaign/find_cause.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "explain/cause/search.h"
#include "explain/signature.h"
#include "policy/catalog.h"

namespace snarl::explore {
namespace {

constexpr Step kLeastSteps = 10'000, kTimesAsManySteps = 50;  // that a try may take

class Runs final : public explain::Trials {
 public:
  Runs(const record::RunRecord& failed, const record::RunRecord& traced, const Setup& setup, Executor& executor,
       const Stop& stop, const TryTeller::Tell& tell)
      : failed_(failed),
        signature_(explain::signature_of(failed)),
        names_(traced),
        setup_(setup),
        executor_(executor),
        stop_(stop),
        teller_(report::Phase::kExplaining, tell) {}

  std::optional<explain::Trial> run(const explain::CauseRules& rules, uint64_t number, bool by_priority,
                                    bool tells) override {
    if (stop_.is_late()) return std::nullopt;
    const RunOrder order = order_for(rules, number, by_priority);
    std::optional<record::RunRecord> record = make(order);
    if (!record) return std::nullopt;
    teller_.tried(rules.size());
    explain::Trial trial{judge(*record), record->obedience, {}};
    if (trial.end != explain::TrialEnd::kPassed || !tells) return trial;
    RunOrder again = order;
    again.settings.trace = true;
    record = make(again);
    if (!record) return std::nullopt;
    if (judge(*record) == explain::TrialEnd::kPassed) trial.passed = explain::trace_of(*record);
    return trial;
  }

 private:
  RunOrder order_for(const explain::CauseRules& rules, uint64_t number, bool by_priority) const {
    RunOrder order = order_like(failed_, setup_.settings);
    order.key.index = number;
    order.key.turn = number;
    order.key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("obey"))};
    order.key.policy.values[0] = by_priority ? 1 : 0;
    order.directive = std::make_shared<const Directive>(directive_of(rules));
    return order;
  }

  Directive directive_of(const explain::CauseRules& rules) const {
    Directive directive;
    for (const explain::CauseRule& rule : rules) {
      NamedConstraint& constraint = directive.constraints.emplace_back();
      constraint.target = names_.named(rule.target);
      for (const explain::TracedEvent& source : rule.sources) constraint.sources.push_back(names_.named(source));
    }
    return directive;
  }

  // None: the time is over.
  std::optional<record::RunRecord> make(const RunOrder& order) {
    Expected<record::RunRecord> record = run_to_end(executor_, order, stop_);
    if (!record) return std::nullopt;
    return std::move(*record);
  }

  explain::TrialEnd judge(record::RunRecord& record) const {
    if (explain::choose_failure(record, signature_)) return explain::TrialEnd::kFailed;
    if (explain::fails(record)) return explain::TrialEnd::kFailedOtherwise;
    return record.outcome == OutcomeKind::kOk ? explain::TrialEnd::kPassed : explain::TrialEnd::kUnclear;
  }

  const record::RunRecord& failed_;
  std::string signature_;
  explain::EventNames names_;
  const Setup& setup_;
  Executor& executor_;
  const Stop& stop_;
  TryTeller teller_;
};

}  // namespace

explain::Cause find_cause(const record::RunRecord& failed, const record::RunRecord& traced, const Setup& setup,
                          Executors& executors, int cpu, const Stop& stop, const TryTeller::Tell& tell) {
  const explain::Trace trace = explain::trace_of(traced);
  if (trace.empty() || !can_be_tried(failed)) return {};
  Setup tries = setup;
  tries.timeout = time_of_try(failed, setup);
  const Step most = std::max(kLeastSteps, kTimesAsManySteps * failed.steps);
  if (tries.settings.step_budget == 0 || tries.settings.step_budget > most) tries.settings.step_budget = most;
  Expected<std::unique_ptr<Executor>> executor = executors.make(tries, Mode::kFork, cpu);
  if (!executor) return {};
  Runs runs(failed, traced, tries, **executor, stop, tell);
  return explain::find_cause(trace, runs);
}

Directive directive_of(const explain::Cause& cause, const record::RunRecord& traced) {
  const explain::EventNames names(traced);
  Directive directive;
  for (const explain::CauseConstraint& c : cause.constraints) {
    NamedConstraint& constraint = directive.constraints.emplace_back();
    constraint.target = names.named(c.target);
    for (const explain::TracedEvent& source : c.sources) constraint.sources.push_back(names.named(source));
  }
  return directive;
}

}  // namespace snarl::explore
