#include "library/body_result.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/shell_word.h"
#include "explain/diagnose/diagnose.h"
#include "explore/target/policy_spec.h"
#include "report/text/finding.h"
#include "report/text/finding_words.h"
#include "schedule/point_levels.h"
#include "schedule/replay_string.h"
#include "symbolize/symbolizer.h"

namespace snarl::library {
namespace {

constexpr size_t kMostSwitches = 20'000;  // in a replay string: it is to be copied by hand

std::string own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::string replay_string(const Settings& settings, const record::RunRecord& failed) {
  if (failed.decisions_cut || failed.decisions.size() > kMostSwitches) return "";
  const PointSet points = points_of(failed.settings);
  Replay replay{failed.key.seed, failed.key.index, test_hash(settings.name), failed.decisions, points};
  if ((points & kMemoryPoints) != 0 && failed.places != nullptr) replay.places = failed.places->all();
  return to_replay_string(replay);
}

std::vector<report::FindingCommand> commands_for(const Settings& settings, const std::string& program,
                                                 const std::string& replay) {
  const std::string call = shell_word(program) + (settings.filter.empty() ? "" : " " + settings.filter);
  if (replay.empty()) return {{"Repeat", fmt::format("SNARL_SEED={:#x} {}", settings.seed, call)}};
  return {{"Replay", fmt::format("SNARL_REPLAY={} {}", replay, call)}};
}

// What is not a point.
std::string unseen(PointSet points, uint64_t sites) {
  if (has_memory_points(points)) return "";
  if ((points & kAtomicPoints) == 0) return " (not atomics, not memory)";
  return fmt::format(" (not atomic loads, plain stores and memory: build with snarl c++); {} atomic sites", sites);
}

std::string orders_text(const BodyResult& result) {
  if (result.orders.schedules == 0) return "";
  return "; " + report::orders_text(result.orders, result.schedules);
}

}  // namespace

BodyResult result_of(const report::Summary& summary) {
  BodyResult result;
  result.schedules = summary.schedules;
  result.distinct = summary.distinct_schedules;
  result.orders = summary.orders;
  result.seconds = summary.seconds;
  result.threads = summary.threads;
  result.steps = summary.steps;
  result.points = fmt::format("{}", fmt::join(summary.points, ","));
  return result;
}

std::string tested_text(const BodyResult& result, const Settings& settings, uint64_t wanted, uint64_t sites) {
  const PointSet points = settings.setup.settings.points;
  const bool cut = result.passed && result.seconds > settings.seconds && (wanted == 0 || result.schedules < wanted);
  const std::string of = wanted == 0 || result.schedules == wanted || !cut ? "" : fmt::format(" of {}", wanted);
  const std::string why = cut ? fmt::format(", all that {:.3g} s allow", settings.seconds) : "";
  return fmt::format("{}{} {} in {:.3g} s{}; points: {}{}{}", result.schedules, of,
                     result.schedules == 1 ? "schedule" : "schedules", result.seconds, why,
                     fmt::join(point_names(points), ", "), unseen(points, sites), orders_text(result));
}

void fill_failure(BodyResult& result, const Settings& settings, const record::RunRecord& failed,
                  const record::RunRecord* traced) {
  explain::FindingContext context;
  context.policy = explore::to_string(failed.key.policy);
  context.schedules_before = failed.key.index;
  context.seconds = result.seconds;
  context.program = own_program();
  context.argv = {context.program};
  std::error_code error;
  context.directory = std::filesystem::current_path(error);
  context.confirmed = traced != nullptr;
  result.replay = replay_string(settings, failed);
  context.commands = commands_for(settings, context.program, result.replay);
  symbolize::Symbolizer symbolizer;
  report::Finding finding = explain::diagnose(failed, traced, symbolizer, context);
  if (traced != nullptr) finding.out_tail = traced->out, finding.err_tail = traced->err;
  result.passed = false;
  result.kind = report::kind_of(finding);
  result.summary = report::summary_of(finding);
  result.report = report::finding_text(finding);
}

}  // namespace snarl::library
