#include "explore/campaign/shorten.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "explain/signature.h"
#include "explore/campaign/confirm.h"
#include "policy/catalog.h"
#include "schedule/shortener.h"

namespace snarl::explore {
namespace {

constexpr double kLeastTime = 0.5, kTimesAsLong = 20;  // of a try: one that takes longer hardly fails in the same way

bool can_be_tried(const record::RunRecord& failed) {
  return failed.outcome != OutcomeKind::kTimeout && failed.outcome != OutcomeKind::kHang &&
         failed.outcome != OutcomeKind::kLivelock && failed.repeatable && !failed.decisions.empty() &&
         failed.decisions.size() == failed.switches;
}

// Only thread and count of a switch matter.
std::shared_ptr<const Schedule> as_schedule(const Schedule& failed, const Outline& outline) {
  auto schedule = std::make_shared<Schedule>(failed);
  schedule->switches.clear();
  for (const OutlinePart& part : outline) schedule->switches.push_back({.from = part.thread, .nth = part.until});
  return schedule;
}

RunOrder order_for(const record::RunRecord& failed, const RunSettings& settings,
                   std::shared_ptr<const Schedule> outline) {
  RunOrder order(settings);
  order.key = failed.key;
  order.key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("outline"))};
  order.places = failed.places;
  order.settings.all_memory = failed.settings.all_memory;
  order.follow = std::move(outline);
  return order;
}

}  // namespace

std::optional<record::RunRecord> shorten(const record::RunRecord& failed, const Setup& setup, Executors& executors,
                                         int cpu, const Stop& stop) {
  if (!can_be_tried(failed)) return std::nullopt;
  Setup tries = setup;
  tries.timeout = std::min(setup.timeout, std::max(kLeastTime, kTimesAsLong * failed.seconds));
  Expected<std::unique_ptr<Executor>> worker = executors.make(tries, Mode::kFork, cpu);
  if (!worker) return std::nullopt;
  const Schedule schedule = schedule_to_follow(failed, setup);
  const std::string signature = explain::signature_of(failed);
  Shortener shortener(failed.decisions, failed.steps);
  std::optional<record::RunRecord> shortest;
  while (const std::optional<Outline> outline = stop.is_late() ? std::nullopt : shortener.next()) {
    Expected<record::RunRecord> run =
        run_to_end(**worker, order_for(failed, setup.settings, as_schedule(schedule, *outline)), stop);
    if (!run) break;
    if (!explain::choose_failure(*run, signature) || !can_be_tried(*run)) continue;
    if (!shortener.offer(run->decisions, run->steps)) continue;
    run->key = failed.key;
    shortest = std::move(*run);
  }
  return shortest;
}

}  // namespace snarl::explore
