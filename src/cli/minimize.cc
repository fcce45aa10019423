#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/recorded.h"
#include "cli/run_options.h"
#include "cli/terminal.h"
#include "cli/trust.h"
#include "cli/verbs.h"
#include "explain/diagnose/diagnose.h"
#include "explore/campaign/confirm.h"
#include "explore/campaign/mark.h"
#include "explore/campaign/shorten.h"
#include "explore/campaign/store.h"
#include "explore/execute/replay.h"
#include "explore/execute/worker.h"
#include "os/core_claims.h"
#include "os/cores.h"
#include "os/system.h"
#include "report/printable.h"

namespace snarl::cli {

std::string minimize_help() {
  return R"(usage: snarl minimize [OPTIONS] [PATH | NUMBER] [-- PROGRAM ARGUMENTS]

Looks for the shortest schedule with which a recorded failure happens: the fewest switches, then the fewest preemptions,
then the fewest steps. snarl run does so by itself, for a shorter time. The result is written to a folder "shortest" in
the finding's, which snarl replay takes. PATH, NUMBER and the command are as for snarl replay.
)" + options_help(kMinimize) +
         R"(
Exit code: 0 done, whether or not it could be shortened, 3 the failure did not happen again, 2 wrong usage.
)";
}

namespace {

std::string json_text(const RecordedRun& run, const record::RunRecord& before, const record::RunRecord& after,
                      const std::string& folder) {
  return fmt::format(
      "{{\"schema\": \"snarl.minimize/1\", \"failure\": \"{}\", \"switches_before\": {}, \"switches\": {}, "
      "\"steps_before\": {}, \"steps\": {}, \"folder\": {}}}\n",
      run.schedule->failure, before.switches, after.switches, before.steps, after.steps,
      folder.empty() ? "null" : "\"" + printable_line(folder) + "\"");
}

// A folder that snarl replay takes as it takes a finding's.
Expected<std::string> keep(const RecordedRun& run, const record::RunRecord& shortest) {
  explain::FindingContext context;
  context.policy = run.schedule->policy;
  context.program = run.setup.target.program;
  context.argv = run.setup.target.argv;
  context.start = run.schedule->start;
  const std::string folder = std::filesystem::path(run.path).replace_filename("shortest");
  const std::string schedule = write_schedule(explain::schedule_of(shortest, context, run.schedule->cpus));
  Status kept = explore::keep_schedule(folder, schedule, run.input.value_or(""),
                                       run.trusted ? mark_of(schedule, run.input.value_or("")) : "");
  if (!kept) return kept.error();
  return folder;
}

int minimize_run(RecordedRun& run, os::Guard& guard, double seconds) {
  Interrupt interrupt;
  const explore::Stop stop(interrupt.fd(), os::now_seconds() + seconds);
  explore::Workers workers(guard);
  const os::CoreClaims claims(os::allowed_cores(), 1);
  const int cpu = claims.cores()[0];
  ProgressLine line(has_live_lines(STDERR_FILENO));
  const auto told = [&line](const report::Progress& progress) { line.show(progress); };
  Expected<record::RunRecord> again = explore::replay(run.schedule, run.setup, workers, cpu, stop, {.trace = false});
  if (interrupt.taken() != 0) return 128 + interrupt.taken();
  if (!again) return complain(again.error());
  if (run.schedule->signature.empty() || !explain::choose_failure(*again, run.schedule->signature))
    return complain({"the failure did not happen again, so there is nothing to shorten", "snarl replay says more", 3});
  again->key = run.schedule->key;
  std::optional<record::RunRecord> shortest = explore::shorten(*again, run.setup, workers, cpu, stop, told);
  line.clear();
  if (interrupt.taken() != 0) return 128 + interrupt.taken();
  if (shortest && !explore::confirm(*shortest, run.setup, workers, cpu, stop).confirmed) shortest.reset();
  std::string folder;
  if (shortest) {
    Expected<std::string> kept = keep(run, *shortest);
    if (!kept) return complain(kept.error());
    folder = *kept;
  }
  const record::RunRecord& after = shortest ? *shortest : *again;
  if (run.json) {
    show(json_text(run, *again, after, folder));
  } else if (shortest) {
    show(fmt::format("Minimize: {} and {} steps, before {} and {} steps\nReplay: snarl replay {}\n",
                     report::counted(after.switches, "switch", "switches"), report::grouped(after.steps),
                     report::counted(again->switches, "switch", "switches"), report::grouped(again->steps),
                     printable_line(folder)));
  } else {
    show(fmt::format("Minimize: no shorter schedule fails so: {}, {} steps\n",
                     report::counted(after.switches, "switch", "switches"), report::grouped(after.steps)));
  }
  return 0;
}

}  // namespace

int minimize_verb(const Words& words) { return with_recorded(kMinimize, words, minimize_help, minimize_run); }

}  // namespace snarl::cli
