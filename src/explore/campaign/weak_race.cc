#include "explore/campaign/weak_race.h"

#include <algorithm>
#include <memory>
#include <set>

#include "explain/signature.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/own_libraries.h"
#include "explore/execute/replay.h"
#include "os/file_bytes.h"
#include "record/modules.h"
#include "scan/uncovered.h"
#include "symbolize/paths.h"

namespace snarl::explore {
namespace {

bool lies_in_a_file(const record::RunRecord& record, uint64_t address) {
  return std::ranges::any_of(record.modules,
                             [address](const wire::Module& m) { return m.begin <= address && address < m.end; });
}

}  // namespace

bool WeakRaces::tells_of_all(const std::string& file) {
  const auto [at, is_new] = files_.try_emplace(file, false);
  if (!is_new) return at->second;
  const os::FileBytes bytes(file);
  const scan::CodeImage image = scan::read_code(bytes.view());
  return at->second = !image.hooks.empty() && scan::uncovered_functions(image).empty();
}

// The C and C++ runtimes order threads only by calls that are known.
bool WeakRaces::tells_of_all(const record::RunRecord& record) {
  const std::vector<LoadedModule> modules = record::loaded_modules(record.modules);
  const std::set<std::string> ours = own_libraries(modules);
  return std::ranges::all_of(modules, [&](const LoadedModule& module) {
    return symbolize::is_system_module(module.path) || ours.contains(std::string(symbolize::base_name(module.path))) ||
           tells_of_all(module.path);
  });
}

// Memory that is freed and used again looks shared if nobody tells of it: blocks are known with memory points only, and
// not in library mode (no guard), where variables of static storage are left.
std::optional<record::RunRecord> WeakRaces::show(const record::RunRecord& shown, const Setup& setup,
                                                 Executors& executors, int cpu, const Stop& stop) {
  if (!has_memory_points(shown.settings.points) || !tells_of_all(shown)) return std::nullopt;
  if (executors.guard() == nullptr && !lies_in_a_file(shown, explain::possible_race_of(shown)->address))
    return std::nullopt;
  Setup fresh = setup;
  fresh.settings.weak_races = true;
  fresh.settings.points = shown.settings.points;
  auto schedule = std::make_shared<const Schedule>(schedule_to_follow(shown, fresh));
  Expected<record::RunRecord> again = replay(std::move(schedule), fresh, executors, cpu, stop);
  if (!again || !tells_of_all(*again)) return std::nullopt;
  const wire::RaceEntry& race = *explain::possible_race_of(shown);
  if (!explain::choose_failure(*again, explain::signature_of_race(shown, race))) return std::nullopt;
  again->key = shown.key;
  return std::move(*again);
}

}  // namespace snarl::explore
