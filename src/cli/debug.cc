#include "cli/debug.h"

#include <fmt/format.h>

#include <limits>

#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "explore/execute/replay.h"
#include "explore/execute/worker.h"
#include "explore/target/environment.h"
#include "explore/target/target.h"
#include "os/cores.h"
#include "os/read_file.h"
#include "report/formats/finding_json.h"
#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/thread_name.h"
#include "schedule/misuse.h"

namespace snarl::cli {
namespace {

// gdb's variable of the program's environment; gdb itself is not to load our runtime.
std::string set_preload(const explore::Setup& setup) {
  return "set environment " + explore::with_preload(setup.environment, setup.runtime, setup.target).back();
}

// Stops at misuse only if the recording was made for one of that kind.
std::string start_command(const std::string& failure, Step until) {
  const bool is_misuse = misuse_kind_named(failure.c_str()) != MisuseKind::kNone;
  return "snarl start" + (is_misuse ? " " + failure : "") + (until > 0 ? fmt::format(" {}", until) : "");
}

// "T1 lock A, bank.cc:21"
std::string event_text(const report::FindingMoment& event, const report::ActWords& words) {
  const std::string place = report::place_text(event.place);
  return report::thread_name(event.thread) + " " + words.text(event.act, event.place) +
         (place.empty() ? "" : ", " + place);
}

// "snarl cause 5 T1 lock A, bank.cc:21, is before T2 lock A, bank.cc:22", for each event that was performed.
std::vector<std::string> cause_commands(const std::string& path) {
  std::vector<std::string> commands;
  const Expected<std::string> json = os::read_file(path, 2);
  if (!json) return commands;
  const Expected<report::Finding> finding = report::finding_from_json_text(*json);
  if (!finding || !finding->cause.enough) return commands;
  const report::ActWords words(finding->objects);
  const auto add = [&](const report::FindingMoment& event, const char* order, const std::string& other) {
    if (event.step == 0) return;
    const std::string text = event_text(event, words) + ", is " + order + " " + other;
    commands.insert(commands.end(), {"-ex", fmt::format("snarl cause {} {}", event.step, printable_line(text))});
  };
  for (const report::FindingConstraint& constraint : finding->cause.constraints)
    for (const report::FindingMoment& source : constraint.sources) {
      add(source, "before", event_text(constraint.target, words));
      add(constraint.target, "after", event_text(source, words));
    }
  return commands;
}

Expected<std::vector<std::string>> gdb_command(const explore::Setup& setup, const std::string& failure,
                                               const DebugPlan& plan) {
  const std::string gdb = explore::find_program("gdb", search_path());
  if (gdb.empty())
    return Error{"gdb is not installed, or not in PATH", "install it, such as with apt-get install gdb", 2};
  Expected<std::string> helper = find_gdb_helper();
  if (!helper) return helper.error();
  std::vector<std::string> command = {
      gdb, "-q", "-ex", "set startup-with-shell off", "-ex", set_preload(setup), "-ex", "source " + *helper};
  const auto add = [&](const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  };
  if (plan.until == 0) add(cause_commands(plan.report));
  add({"-ex", start_command(failure, plan.until)});
  add(plan.more);
  add({"--args", setup.target.path});
  if (!plan.takes_init) command.insert(command.begin() + 1, {"-iex", "set auto-load local-gdbinit off"});
  command.insert(command.end(), setup.target.argv.begin() + 1, setup.target.argv.end());
  return command;
}

}  // namespace

int replay_in_gdb(std::shared_ptr<const Schedule> schedule, explore::Setup setup, os::Guard& guard,
                  const DebugPlan& plan) {
  Expected<std::vector<std::string>> command = gdb_command(setup, schedule->failure, plan);
  if (!command) return complain(command.error());
  setup.debugger = std::move(*command);
  setup.timeout = std::numeric_limits<double>::infinity();
  Interrupt interrupt;  // Ctrl-C is gdb's
  explore::Workers workers(guard);
  const Status done = explore::debug(std::move(schedule), setup, workers, os::allowed_cores().front());
  return done ? 0 : complain(done.error());
}

}  // namespace snarl::cli
