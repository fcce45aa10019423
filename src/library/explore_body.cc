#include "library/explore_body.h"

#include <fmt/format.h>

#include <optional>

#include "explain/signature.h"
#include "explore/campaign/default_mix.h"
#include "explore/campaign/explorer.h"
#include "library/executor.h"
#include "os/system.h"
#include "policy/catalog.h"
#include "schedule/point_levels.h"

namespace snarl::library {
namespace {

constexpr int kProfilingRuns = 3;

PolicySpec policy_of(const char* name) { return {.policy = static_cast<uint32_t>(policy::policy_named(name))}; }

explore::CampaignPlan plan_of(const Settings& settings) {
  explore::CampaignPlan plan;
  plan.seed = settings.seed;
  plan.policies = settings.policies;
  if (plan.policies.empty()) explore::set_default_policies(settings.setup.settings.points, plan);
  plan.profilers.assign(kProfilingRuns, policy_of("random"));
  plan.schedules = settings.schedules;
  plan.ranges = true;
  plan.orders = settings.orders;
  return plan;
}

// A test wants to know of one failure, whether it could be confirmed or not.
class FirstFailure final : public explore::Observer {
 public:
  void on_progress(const report::Progress&) override {}
  Expected<explore::Judgement> on_failure(const explore::FailedRun& failure) override {
    if (!failure_) failure_ = failure;
    return explore::Judgement::kEnough;
  }
  void on_note(const record::RunRecord&, const std::string&) override {}

  const std::optional<explore::FailedRun>& failure() const { return failure_; }

 private:
  std::optional<explore::FailedRun> failure_;
};

void fill_switching(BodyResult& result, const BodyExecutors& executors) {
  result.switching = executors.on_fibers() ? "fibers" : "gates";
  result.reset = executors.stays() ? "none" : "fork";
  result.reset_why = executors.reset_why();
}

// Each schedule used up its steps.
Error nothing_tested(const report::Summary& summary) {
  return {
      fmt::format("nothing was tested: each schedule took more than {} steps", summary.step_budget),
      fmt::format("allow more (SNARL_STEPS={}), or give the body less to do", summary.longest + summary.longest / 4),
      4};
}

void fill_note(BodyResult& result, const explore::Exploration& exploration) {
  if (exploration.one_thread) {
    result.schedules = result.distinct = 1;  // the profiling runs had it
    result.note = "the body starts no thread: it has one schedule";
  } else if (exploration.summary.exhausted) {
    result.note = "exhausted: no policy drew a new schedule for long";
  }
}

explore::RunOrder order_to_follow(const Replay& recorded, const RunSettings& settings, bool weak_races) {
  explore::RunOrder order(settings);
  order.settings.weak_races = weak_races;
  order.key = {.seed = recorded.seed, .index = recorded.index, .policy = policy_of("follow")};
  order.settings.trace = true;
  order.settings.all_memory = (recorded.points & kAllMemoryPoints) != 0;
  order.places = std::make_shared<const record::SharedPlaces>(recorded.places);
  auto schedule = std::make_shared<Schedule>();
  set_switches(*schedule, recorded.switches, {});
  order.follow = std::move(schedule);
  return order;
}

std::string divergence_note(const record::RunRecord& record, const Replay& recorded) {
  if (record.outcome == OutcomeKind::kDivergence)
    return fmt::format("the body no longer follows the recorded schedule: it differs at step {}", record.got.step);
  if (!explain::fails(record) && record.switches < recorded.switches.size())
    return "the body no longer follows the recorded schedule: it came to its end before";
  return "";
}

}  // namespace

Expected<BodyResult> explore_body(const Settings& settings, SharedMemory memory, const runtime::Body& body) {
  BodyExecutors executors(settings, memory, body);
  FirstFailure first;
  const explore::ExploreOptions options{plan_of(settings), settings.seconds, {-1}, -1};
  const explore::Exploration exploration = explore::explore(settings.setup, options, executors, first);
  if (exploration.error) return *exploration.error;
  const report::Summary& summary = exploration.summary;
  BodyResult result = result_of(summary);
  fill_switching(result, executors);
  if (first.failure()) {
    const explore::Confirmation& confirmation = first.failure()->confirmation;
    fill_failure(result, settings, first.failure()->record,
                 confirmation.confirmed && confirmation.replay ? &*confirmation.replay : nullptr);
  } else {
    if (summary.too_long != 0 && summary.too_long == summary.schedules) return nothing_tested(summary);
    fill_note(result, exploration);
  }
  result.tested = tested_text(result, settings, settings.schedules, summary.atomic_sites.patched);
  for (const report::UnpatchedFile& file : summary.unpatched)
    result.tested += fmt::format("; {} has no atomic points: snarl's patches made it fail ({})", file.file, file.why);
  return result;
}

Expected<BodyResult> replay_body(const Settings& settings, SharedMemory memory, const runtime::Body& body,
                                 const Replay& recorded) {
  BodyExecutors executors(settings, memory, body);
  const double began = os::now_seconds();
  Expected<std::unique_ptr<explore::Executor>> executor = executors.make(settings.setup, explore::Mode::kFork, -1);
  if (!executor) return executor.error();
  const RunSettings& run = settings.setup.settings;
  Expected<record::RunRecord> record = explore::run_to_end(**executor, order_to_follow(recorded, run, false), -1);
  if (record && run.races && !explain::fails(*record))  // the failure may be one that only weak orders allow
    record = explore::run_to_end(**executor, order_to_follow(recorded, run, true), -1);
  if (!record) return record.error();
  BodyResult result;
  result.schedules = 1;
  result.seconds = os::now_seconds() - began;
  result.threads = record->created;
  result.steps = record->steps;
  fill_switching(result, executors);
  result.reset = "fork";
  result.reset_why = "a replay has a process of its own";
  result.note = divergence_note(*record, recorded);
  const std::vector<record::Failure> failures = explain::failures_of(*record);
  if (!failures.empty()) {
    record->failure = failures.front();
    fill_failure(result, settings, *record, &*record);
  }
  result.points = points_text(settings.setup.settings.points);
  result.tested = tested_text(result, settings, 1, record->patched.patched);
  return result;
}

}  // namespace snarl::library
