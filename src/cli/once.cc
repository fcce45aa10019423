#include "cli/once.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "explain/diagnose/diagnose.h"
#include "explore/execute/worker.h"
#include "explore/target/function_names.h"
#include "explore/target/policy_spec.h"
#include "record/settle.h"
#include "schedule/point_levels.h"
#include "symbolize/symbolizer.h"

namespace snarl::cli {
namespace {

int exit_code_of(const record::RunRecord& record) {
  switch (record.outcome) {
    case OutcomeKind::kOk:
    case OutcomeKind::kExit: return record.exit_code;
    case OutcomeKind::kSignal:
    case OutcomeKind::kAssert: return 128 + record.signal;
    case OutcomeKind::kNone: return 128 + 9;
    case OutcomeKind::kRefused: return complain({record.message, {}, 4});
    case OutcomeKind::kStepBudget:
      return complain({fmt::format("no end within {} steps", record.steps), "--steps N allows more", 4});
    default: tell(fmt::format("snarl: {} after {} steps\n", name_of(record.outcome), record.steps)); return 1;
  }
}

// What nothing orders in this one run, each pair in a sentence. Whether a schedule brings the two together is not
// tried.
void tell_races(const record::RunRecord& record) {
  symbolize::Symbolizer symbolizer;
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error);
  for (const wire::RaceEntry& race : record.races)
    tell(fmt::format("snarl: {}\n", explain::unordered_text(record, race, symbolizer, folder)));
}

}  // namespace

OnceEnd run_once(const RunOptions& options, const explore::Setup& setup, os::Guard& guard) {
  if (!setup.directives.empty())
    return {complain({"obey can't be used with --once: places are known only once the program is loaded", {}, 2})};
  Interrupt interrupt;
  Expected<std::unique_ptr<explore::Worker>> worker =
      explore::Worker::create(setup, guard, explore::Mode::kPassThrough, options.cpus.front());
  if (!worker) return {complain(worker.error())};
  explore::RunOrder order(setup.settings);
  order.key = {.seed = options.plan.seed, .policy = options.plan.policies.front()};
  order.settings.parallel = explore::is_parallel(order.key.policy);
  order.settings.fairness = options.plan.fairness.value_or(default_fairness(order.key.profile.steps));
  const Expected<record::RunRecord> record = explore::run_to_end(**worker, std::move(order), interrupt.fd());
  if (interrupt.taken() != 0) return {128 + interrupt.taken()};
  if (!record) return {complain(record.error())};
  if (Status named = explore::check_all_matched(setup, record->patched.matched, guard); !named)
    return {complain(named.error())};
  if (Status hooks = check_hooks(setup.settings.points, record->hooked); options.once && record->created > 1 && !hooks)
    return {complain(hooks.error())};
  if (setup.settings.races && options.once) tell_races(*record);
  if (record->outcome != OutcomeKind::kOk && record->created > 1)
    tell(fmt::format("snarl: seed 0x{:x}\n", options.plan.seed));
  return {exit_code_of(*record), record->created};
}

}  // namespace snarl::cli
