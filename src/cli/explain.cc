#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/recorded.h"
#include "cli/run_options.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explain/diagnose/diagnose.h"
#include "explore/campaign/find_cause.h"
#include "explore/execute/replay.h"
#include "explore/execute/worker.h"
#include "os/core_claims.h"
#include "os/cores.h"
#include "os/system.h"
#include "report/formats/finding_json.h"
#include "report/text/finding.h"
#include "symbolize/symbolizer.h"

namespace snarl::cli {

std::string explain_help() {
  return R"(usage: snarl explain [OPTIONS] [PATH | NUMBER] [-- PROGRAM ARGUMENTS]

Runs a recorded failure again, and then looks for its cause: the fewest orders of events ("T1 lock A before T2 lock A")
such that every schedule that obeys them fails. Hundreds of schedules are run to find them, and to see that each is
needed. PATH, NUMBER and the command are as for snarl replay.
)" + options_help(kExplain) +
         R"(
Exit code: 0 the cause was found, 1 it was not: no up to six orders are enough, or time was over, 3 the failure did not
happen again, 2 wrong usage.
)";
}

namespace {

int explain_run(RecordedRun& run, os::Guard& guard, double seconds) {
  Interrupt interrupt;
  const explore::Stop stop(interrupt.fd(), os::now_seconds() + seconds);
  explore::Workers workers(guard);
  const os::CoreClaims claims(os::allowed_cores(), 1);
  const int cpu = claims.cores()[0];
  ProgressLine line(has_live_lines(STDERR_FILENO));
  const auto told = [&line](const report::Progress& progress) { line.show(progress); };
  Expected<record::RunRecord> again = explore::replay(run.schedule, run.setup, workers, cpu, stop);
  if (interrupt.taken() != 0) return 128 + interrupt.taken();
  if (!again) return complain(again.error());
  if (run.schedule->signature.empty() || !explain::choose_failure(*again, run.schedule->signature))
    return complain({"the failure did not happen again, so there is nothing to explain", "snarl replay says more", 3});
  again->key = run.schedule->key;
  const explain::Cause cause = explore::find_cause(*again, *again, run.setup, workers, cpu, stop, told);
  line.clear();
  if (interrupt.taken() != 0) return 128 + interrupt.taken();
  explain::FindingContext context;
  context.policy = run.schedule->policy;
  context.schedules_before = run.schedule->key.index;
  context.program = run.setup.target.program;
  context.argv = run.setup.target.command;
  std::error_code error;
  context.directory = std::filesystem::current_path(error);
  context.commands = explain::commands_for(run.path);
  context.cause = &cause;
  symbolize::Symbolizer symbolizer;
  const report::Finding finding = explain::diagnose(*again, &*again, symbolizer, context);
  show(run.json ? report::finding_json_text(finding)
                : report::finding_text(finding, text_options(STDOUT_FILENO, run.color)));
  if (cause.state == explain::CauseState::kNone)
    tell("snarl: no cause was found: time was over, or the failure is of a kind that can't be tried again and again\n");
  return cause.state == explain::CauseState::kProved ? 0 : 1;
}

}  // namespace

int explain_verb(const Words& words) { return with_recorded(kExplain, words, explain_help, explain_run); }

}  // namespace snarl::cli
