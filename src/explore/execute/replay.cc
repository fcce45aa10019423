#include "explore/execute/replay.h"

#include "explore/target/policy_spec.h"
#include "os/system.h"
#include "policy/catalog.h"
#include "record/settle.h"
#include "schedule/epochs.h"

namespace snarl::explore {
namespace {

Expected<RunOrder> order_for(std::shared_ptr<const Schedule> schedule, const RunSettings& settings) {
  RunOrder order(settings);
  order.key = schedule->key;
  order.settings.all_memory = schedule->settings.all_memory;
  order.places = std::make_shared<const record::SharedPlaces>(places_of(*schedule));
  order.spin_loads = std::make_shared<const record::SharedPlaces>(spin_loads_of(*schedule));
  if (schedule->cut) {
    Expected<PolicySpec> policy = parse_policy(schedule->policy);
    if (!policy) return policy.error();
    if (policy::traits_of(*policy).counts || policy::traits_of(*policy).groups || policy->file[0] != '\0')
      return Error{"the schedule's log was cut, and its policy " + schedule->policy +
                       " can't make it again without its profile or file",
                   "find it again with snarl run", 2};
    order.key.policy = *policy;
    order.settings.fairness = default_fairness(order.key.profile.steps);
    order.settings.parallel = is_parallel(*policy);
    return order;
  }
  order.key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("follow"))};
  order.follow = std::move(schedule);
  return order;
}

}  // namespace

Expected<record::RunRecord> replay(std::shared_ptr<const Schedule> schedule, const Setup& setup, Executors& executors,
                                   int cpu, const Stop& stop, ReplayManner manner) {
  const bool times_out = schedule->failure == name_of(OutcomeKind::kTimeout);
  Expected<RunOrder> order = order_for(std::move(schedule), setup.settings);
  if (!order) return order.error();
  order->settings.trace = manner.trace;
  if (manner.brief && times_out && order->follow) order->linger = setup.timeout / 10;
  for (int tries = 1;; ++tries) {
    Expected<std::unique_ptr<Executor>> worker = executors.make(setup, Mode::kFork, cpu);
    if (!worker) return worker.error();
    Expected<record::RunRecord> record = run_to_end(**worker, *order, stop);
    if (record && tries == record::kMostLosses) record::settle_lost(*record);
    if (!record || record->outcome != OutcomeKind::kNone) return record;
  }
}

Expected<std::optional<Nearby>> search_near(std::shared_ptr<const Schedule> schedule, const Setup& setup,
                                            Executors& executors, int cpu, const Stop& stop,
                                            const std::function<bool(record::RunRecord&)>& is_it,
                                            const NearbyLimit& limit) {
  Expected<RunOrder> order = order_for(schedule, setup.settings);
  if (!order) return order.error();
  order->key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("near"))};
  order->follow = std::move(schedule);
  order->settings.trace = true;
  order->settings.parallel = false;
  Expected<std::unique_ptr<Executor>> worker = executors.make(setup, Mode::kFork, cpu);
  if (!worker) return worker.error();
  const double deadline = os::now_seconds() + limit.seconds;
  for (uint64_t tries = 1; tries <= limit.tries && os::now_seconds() < deadline; ++tries) {
    order->key.index = tries;
    Expected<record::RunRecord> record = run_to_end(**worker, *order, stop);
    if (!record) return record.error();
    if (record->outcome == OutcomeKind::kNone) return std::optional<Nearby>();  // stopped
    if (is_it(*record)) return std::optional(Nearby{std::move(*record), tries});
  }
  return std::optional<Nearby>();
}

Expected<record::RunRecord> follow_loosely(std::shared_ptr<const Schedule> schedule, const Setup& setup,
                                           Executors& executors, int cpu, const Stop& stop) {
  Expected<RunOrder> order = order_for(schedule, setup.settings);
  if (!order) return order.error();
  order->key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("outline"))};
  order->follow = std::move(schedule);
  order->settings.trace = true;
  order->settings.parallel = false;
  Expected<std::unique_ptr<Executor>> worker = executors.make(setup, Mode::kFork, cpu);
  if (!worker) return worker.error();
  return run_to_end(**worker, *order, stop);
}

Status debug(std::shared_ptr<const Schedule> schedule, const Setup& setup, Executors& executors, int cpu) {
  Expected<RunOrder> order = order_for(std::move(schedule), setup.settings);
  if (!order) return order.error();
  order->settings.trace = true;  // then gdb hears of each step: others may be taken in one go
  Expected<std::unique_ptr<Executor>> worker = executors.make(setup, Mode::kDebug, cpu);
  if (!worker) return worker.error();
  const Expected<record::RunRecord> record = run_to_end(**worker, *order, -1);
  return record ? Status(Done{}) : record.error();
}

}  // namespace snarl::explore
