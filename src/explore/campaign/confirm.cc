#include "explore/campaign/confirm.h"

#include <algorithm>
#include <memory>

#include "explain/diagnose/diagnose.h"
#include "explore/execute/replay.h"
#include "explore/target/policy_spec.h"
#include "os/system.h"
#include "policy/catalog.h"

namespace snarl::explore {
namespace {

// Of a search near a run's order.
struct Search {
  int tries;
  double seconds;
};
constexpr Search kForParallel = {300, 5};     // for a failure of a parallel run
constexpr Search kWithoutDeadline = {60, 2};  // for one that let a deadline come early

// Does the run fail in the same way? It may fail in others too.
bool is_same(record::RunRecord& again, const record::RunRecord& failed) {
  return explain::choose_failure(again, explain::signature_of(failed));
}

RunOrder order_near(const record::RunRecord& failed, const RunSettings& settings,
                    std::shared_ptr<const Schedule> schedule, int nth) {
  RunOrder order(settings);
  order.key = failed.key;
  order.key.index = static_cast<uint64_t>(nth);
  order.places = failed.places;
  order.spin_loads = failed.spin_loads;
  order.settings.all_memory = failed.settings.all_memory;
  order.key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("near"))};
  order.follow = std::move(schedule);
  return order;
}

std::optional<record::RunRecord> search_near(const record::RunRecord& failed, std::shared_ptr<const Schedule> schedule,
                                             const Setup& setup, Executors& executors, int cpu, const Stop& stop,
                                             const Search& search) {
  Expected<std::unique_ptr<Executor>> worker = executors.make(setup, Mode::kFork, cpu);
  if (!worker) return std::nullopt;
  const double deadline = os::now_seconds() + search.seconds;
  for (int nth = 0; nth < search.tries && os::now_seconds() < deadline; ++nth) {
    Expected<record::RunRecord> record = run_to_end(**worker, order_near(failed, setup.settings, schedule, nth), stop);
    if (!record) return std::nullopt;
    if (is_same(*record, failed)) return std::move(*record);
  }
  return std::nullopt;
}

// The failure as the serial run shows it, under the name of the parallel one.
void become_serial(record::RunRecord& failed, record::RunRecord serial) {
  serial.key = failed.key;
  failed = std::move(serial);
}

// Does it fail in the same way, near the same order, where no deadline comes while a thread can run?
bool fails_without_choice(const record::RunRecord& failed, std::shared_ptr<const Schedule> schedule, Setup setup,
                          Executors& executors, int cpu, const Stop& stop) {
  setup.settings.time = TimeMode::kPatient;
  setup.timeout = std::min(setup.timeout, kWithoutDeadline.seconds);
  return search_near(failed, std::move(schedule), setup, executors, cpu, stop, kWithoutDeadline).has_value();
}

}  // namespace

Schedule schedule_to_follow(const record::RunRecord& failed, const Setup& setup) {
  explain::FindingContext context;
  context.policy = to_string(failed.key.policy);
  context.program = setup.target.program;
  context.argv = setup.target.argv;
  return explain::schedule_of(failed, context, 1);
}

Confirmation confirm(record::RunRecord& failed, const Setup& setup, Executors& executors, int cpu, const Stop& stop) {
  auto schedule = std::make_shared<const Schedule>(schedule_to_follow(failed, setup));
  Confirmation result;
  Expected<record::RunRecord> again = replay(schedule, setup, executors, cpu, stop);
  if (!again) return result;
  if (failed.parallel && !is_same(*again, failed)) {
    std::optional<record::RunRecord> found = search_near(failed, schedule, setup, executors, cpu, stop, kForParallel);
    if (!found) return result;
    become_serial(failed, std::move(*found));
    return confirm(failed, setup, executors, cpu, stop);
  }
  result.confirmed = is_same(*again, failed);
  if (failed.parallel && result.confirmed) become_serial(failed, *again);
  if (result.confirmed && again->chosen_deadlines != 0)
    failed.fails_without_choice = again->fails_without_choice =
        fails_without_choice(failed, schedule, setup, executors, cpu, stop);
  result.replay = std::move(*again);
  return result;
}

}  // namespace snarl::explore
