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

// Only thread and count of a switch matter.
std::shared_ptr<const Schedule> as_schedule(const Schedule& failed, const Outline& outline) {
  auto schedule = std::make_shared<Schedule>(failed);
  schedule->switches.clear();
  for (const OutlinePart& part : outline) schedule->switches.push_back({.from = part.thread, .nth = part.until});
  return schedule;
}

RunOrder outline_order(const record::RunRecord& failed, const RunSettings& settings,
                       std::shared_ptr<const Schedule> outline) {
  RunOrder order = order_like(failed, settings);
  order.key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("outline"))};
  order.follow = std::move(outline);
  return order;
}

}  // namespace

std::optional<record::RunRecord> shorten(const record::RunRecord& failed, const Setup& setup, Executors& executors,
                                         int cpu, const Stop& stop, const TryTeller::Tell& tell) {
  if (!can_be_tried(failed)) return std::nullopt;
  Setup tries = setup;
  tries.timeout = time_of_try(failed, setup);
  Expected<std::unique_ptr<Executor>> worker = executors.make(tries, Mode::kFork, cpu);
  if (!worker) return std::nullopt;
  const Schedule schedule = schedule_to_follow(failed, setup);
  const std::string signature = explain::signature_of(failed);
  Shortener shortener(failed.decisions, failed.steps);
  std::optional<record::RunRecord> shortest;
  TryTeller teller(report::Phase::kShortening, tell);
  while (const std::optional<Outline> outline = stop.is_late() ? std::nullopt : shortener.next()) {
    Expected<record::RunRecord> run =
        run_to_end(**worker, outline_order(failed, setup.settings, as_schedule(schedule, *outline)), stop);
    if (!run) break;
    teller.tried(shortener.length().switches);
    if (!explain::choose_failure(*run, signature) || !can_be_tried(*run)) continue;
    if (!shortener.offer(run->decisions, run->steps)) continue;
    run->key = failed.key;
    shortest = std::move(*run);
  }
  return shortest;
}

}  // namespace snarl::explore
