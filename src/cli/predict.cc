#include "explore/campaign/predict.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/interrupt.h"
#include "cli/recorded.h"
#include "cli/run_options.h"
#include "cli/terminal.h"
#include "cli/trust.h"
#include "cli/verbs.h"
#include "explain/diagnose/diagnose.h"
#include "explain/signature.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/mark.h"
#include "explore/campaign/meeting.h"
#include "explore/campaign/store.h"
#include "explore/execute/replay.h"
#include "explore/execute/worker.h"
#include "os/core_claims.h"
#include "os/cores.h"
#include "os/system.h"
#include "report/printable.h"
#include "symbolize/symbolizer.h"

namespace snarl::cli {

std::string predict_help() {
  return R"(usage: snarl predict [OPTIONS] [PATH | NUMBER] [-- PROGRAM ARGUMENTS]

Runs a recorded schedule again, and reads out of its trace which races other schedules have, also where happens-before
orders the accesses in this one. For each it looks for a schedule in which both threads stand at their accesses, and
repeats that in a fresh process: the race is confirmed, or it was not reached. Schedules of confirmed races are written
to folders "predicted-1", ... in the finding's, which snarl replay takes. PATH, NUMBER and the command are as for snarl
replay. The schedule must have memory points. snarl run --predict does the same for schedules of its own.
)" + options_help(kPredict) +
         R"(
Exit code: 1 a race was confirmed, 0 none was, 3 the replay diverged, 2 wrong usage.
)";
}

namespace {

constexpr size_t kQuestions = 400;  // to the solver

struct Told {
  std::string text, kind, folder;
  bool missed = false;  // by happens-before, in the recorded run
};

// A folder that snarl replay takes as it takes a finding's.
Expected<std::string> keep(const RecordedRun& run, const record::RunRecord& shown, size_t nth) {
  explain::FindingContext context;
  context.policy = run.schedule->policy;
  context.program = run.setup.target.program;
  context.argv = run.setup.target.argv;
  context.start = run.schedule->start;
  const std::string folder = std::filesystem::path(run.path).replace_filename(fmt::format("predicted-{}", nth));
  const std::string schedule = write_schedule(explain::schedule_of(shown, context, run.schedule->cpus));
  Status kept = explore::keep_schedule(folder, schedule, run.input.value_or(""),
                                       run.trusted ? mark_of(schedule, run.input.value_or("")) : "");
  if (!kept) return kept.error();
  return folder;
}

std::string text_of(const std::vector<Told>& races, const explore::Prediction& prediction) {
  std::string text;
  for (const Told& race : races)
    text += fmt::format("Predict: {}{}{}\n", race.text,
                        race.folder.empty() ? ": not reached" : ": confirmed, snarl replay " + race.folder,
                        race.missed ? "\n  (happens-before orders the two in the recorded schedule)" : "");
  if (races.empty()) text += "Predict: no race of another schedule\n";
  if (!prediction.solved) text += "Predict: libz3 is not installed: critical sections stay in their order\n";
  if (prediction.cut) text += "Predict: the trace is too long: not all of it was looked at, there may be more\n";
  return text;
}

std::string json_of(const std::vector<Told>& races, const explore::Prediction& prediction) {
  nlohmann::json json = {{"schema", "snarl.predict/1"},
                         {"cut", prediction.cut},
                         {"solved", prediction.solved},
                         {"races", nlohmann::json::array()}};
  for (const Told& race : races)
    json["races"].push_back({{"text", race.text},
                             {"ordered_by_happens_before", race.missed},
                             {"confirmed", !race.folder.empty()},
                             {"folder", race.folder}});
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int predict_run(RecordedRun& run, os::Guard& guard, double seconds) {
  if (!has_memory_points(run.schedule->settings.points) && !run.schedule->settings.all_memory)
    return complain({"the schedule was recorded without memory points: its trace has no accesses",
                     "build the program with snarl c++, and record another one with --points memory", 2});
  Interrupt interrupt;
  const explore::Stop stop(interrupt.fd(), os::now_seconds() + seconds);
  explore::Workers workers(guard);
  const os::CoreClaims claims(os::allowed_cores(), 1);
  const int cpu = claims.cores()[0];
  run.setup.settings.races = true;
  run.setup.settings.weak_races = false;  // only what both threads were seen to stand at is confirmed
  Expected<record::RunRecord> traced = explore::replay(run.schedule, run.setup, workers, cpu, stop);
  if (interrupt.taken() != 0) return 128 + interrupt.taken();
  if (!traced) return complain(traced.error());
  if (traced->outcome == OutcomeKind::kDivergence)
    return complain({"the replay diverged, so there is no trace of the schedule", "snarl replay says more", 3});
  traced->key = run.schedule->key;
  const explore::Prediction prediction = explore::predict(*traced, kQuestions);
  symbolize::Symbolizer symbolizer;
  std::error_code error;
  const std::string here = std::filesystem::current_path(error);
  std::vector<Told> races;
  size_t confirmed = 0;
  for (const record::RunRecord& race : prediction.races) {
    Told& told = races.emplace_back();
    told.text = explain::unordered_text(race, *explain::possible_race_of(race), symbolizer, here);
    told.missed = race.predicted == record::Predicted::kOrdered;
    std::optional<record::RunRecord> shown = explore::search_meeting(race, run.setup, workers, cpu, stop);
    if (interrupt.taken() != 0) return 128 + interrupt.taken();
    explore::Setup setup = run.setup;
    if (shown) setup.settings.points = shown->settings.points;
    if (!shown || !explore::confirm(*shown, setup, workers, cpu, stop).confirmed) continue;
    Expected<std::string> folder = keep(run, *shown, ++confirmed);
    if (!folder) return complain(folder.error());
    told.folder = printable_line(*folder);
  }
  show(run.json ? json_of(races, prediction) : text_of(races, prediction));
  return confirmed > 0 ? 1 : 0;
}

}  // namespace

int predict_verb(const Words& words) { return with_recorded(kPredict, words, predict_help, predict_run); }

}  // namespace snarl::cli
