#include "library/body_result.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/shell_word.h"
#include "explain/diagnose/diagnose.h"
#include "explore/target/policy_spec.h"
#include "report/text/finding.h"
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

}  // namespace

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
  result.kind = finding.kind;
  result.summary = finding.summary;
  result.report = report::finding_text(finding);
}

}  // namespace snarl::library
