#include "explore/campaign/meeting.h"

#include <algorithm>
#include <memory>

#include "explain/signature.h"
#include "explore/campaign/confirm.h"
#include "os/system.h"
#include "policy/catalog.h"
#include "record/modules.h"

namespace snarl::explore {
namespace {

constexpr int kTries = 120;
constexpr double kSeconds = 1;                         // for all of them ...
constexpr double kLeastTime = 0.2, kTimesAsLong = 20;  // ... and for one: what takes longer is somewhere else

SharedPlace place_of(uint64_t pc, const std::vector<LoadedModule>& modules) {
  const auto at = std::ranges::find_if(modules, [pc](const LoadedModule& m) { return m.begin <= pc && pc < m.end; });
  return at == modules.end() ? SharedPlace() : SharedPlace{hash_file_name(at->path.c_str()), pc - at->bias};
}

// As many points as the run had, and both accesses. What was predicted has an order of its own, which is tried first as
// it is.
RunOrder order_for(const record::RunRecord& shown, const Setup& setup) {
  const wire::RaceEntry& race = *explain::possible_race_of(shown);
  const std::vector<LoadedModule> modules = record::loaded_modules(shown.modules);
  RunOrder order(setup.settings);
  order.key = shown.key;
  order.key.policy = {};
  order.settings.all_memory = shown.settings.all_memory;
  order.meeting[0] = place_of(race.pc, modules);
  order.meeting[1] = place_of(race.other_pc, modules);
  record::SharedPlaces places(std::vector<SharedPlace>(order.meeting, order.meeting + 2));
  if (shown.places != nullptr) places.merge(*shown.places);
  order.places = std::make_shared<const record::SharedPlaces>(std::move(places));
  order.spin_loads = shown.spin_loads;
  order.follow = std::make_shared<const Schedule>(schedule_to_follow(shown, setup));
  return order;
}

// Both at the same moment; or a deadlock in which both threads wait.
bool shows(record::RunRecord& run, const wire::RaceEntry& race, const record::RunRecord& shown) {
  if (!explain::is_lock_order(race)) return explain::choose_failure(run, explain::signature_of_race(shown, race));
  const auto waits_at = [&](uint64_t pc) {
    return std::ranges::any_of(run.threads, [&](const wire::Thread& t) {
      return t.phase == wire::ThreadPhase::kLive && t.enabled == 0 && t.pending.pc == pc;
    });
  };
  run.failure = {};
  return run.outcome == OutcomeKind::kDeadlock && waits_at(race.pc) && waits_at(race.other_pc);
}

}  // namespace

std::optional<record::RunRecord> search_meeting(const record::RunRecord& shown, const Setup& setup,
                                                Executors& executors, int cpu, const Stop& stop) {
  Setup tries = setup;
  const bool locks = explain::is_lock_order(*explain::possible_race_of(shown));
  tries.settings.points = shown.settings.points | (locks ? 0 : kMemoryPoints | kAtomicPoints);
  tries.timeout = std::min(setup.timeout, std::max(kLeastTime, kTimesAsLong * shown.seconds));
  Expected<std::unique_ptr<Executor>> worker = executors.make(tries, Mode::kFork, cpu);
  if (!worker) return std::nullopt;
  RunOrder order = order_for(shown, tries);
  const wire::RaceEntry& race = *explain::possible_race_of(shown);
  const double deadline = os::now_seconds() + kSeconds;
  for (int nth = 0; nth < kTries && os::now_seconds() < deadline; ++nth) {
    order.key.index = static_cast<uint64_t>(nth);
    const bool as_it_is = nth == 0 && shown.predicted != record::Predicted::kNo;
    order.key.policy.policy = static_cast<uint32_t>(policy::policy_named(as_it_is ? "outline" : "meet"));
    Expected<record::RunRecord> record = run_to_end(**worker, order, stop);
    if (!record) return std::nullopt;
    if (!shows(*record, race, shown)) continue;
    record->key = shown.key;
    return std::move(*record);
  }
  return std::nullopt;
}

}  // namespace snarl::explore
