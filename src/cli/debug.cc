#include "cli/debug.h"

#include <limits>

#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "explore/execute/replay.h"
#include "explore/execute/worker.h"
#include "explore/target/environment.h"
#include "explore/target/target.h"
#include "os/cores.h"
#include "schedule/misuse.h"

namespace snarl::cli {
namespace {

// gdb's variable of the program's environment; gdb itself is not to load our runtime.
std::string set_preload(const explore::Setup& setup) {
  return "set environment " + explore::with_preload(setup.environment, setup.runtime, setup.target).back();
}

// Stops at misuse only if the recording was made for one of that kind.
std::string start_command(const std::string& failure) {
  const bool is_misuse = misuse_kind_named(failure.c_str()) != MisuseKind::kNone;
  return is_misuse ? "snarl start " + failure : "snarl start";
}

Expected<std::vector<std::string>> gdb_command(const explore::Setup& setup, const std::string& failure, bool takes_init,
                                               const std::vector<std::string>& more) {
  const std::string gdb = explore::find_program("gdb", search_path());
  if (gdb.empty())
    return Error{"gdb is not installed, or not in PATH", "install it, such as with apt-get install gdb", 2};
  Expected<std::string> helper = find_gdb_helper();
  if (!helper) return helper.error();
  std::vector<std::string> command = {gdb,   "-q",
                                      "-ex", "set startup-with-shell off",
                                      "-ex", set_preload(setup),
                                      "-ex", "source " + *helper,
                                      "-ex", start_command(failure)};
  command.insert(command.end(), more.begin(), more.end());
  command.insert(command.end(), {"--args", setup.target.path});
  if (!takes_init) command.insert(command.begin() + 1, {"-iex", "set auto-load local-gdbinit off"});
  command.insert(command.end(), setup.target.argv.begin() + 1, setup.target.argv.end());
  return command;
}

}  // namespace

int replay_in_gdb(std::shared_ptr<const Schedule> schedule, explore::Setup setup, os::Guard& guard, bool takes_init,
                  const std::vector<std::string>& more) {
  Expected<std::vector<std::string>> command = gdb_command(setup, schedule->failure, takes_init, more);
  if (!command) return complain(command.error());
  setup.debugger = std::move(*command);
  setup.timeout = std::numeric_limits<double>::infinity();
  Interrupt interrupt;  // Ctrl-C is gdb's
  explore::Workers workers(guard);
  const Status done = explore::debug(std::move(schedule), setup, workers, os::allowed_cores().front());
  return done ? 0 : complain(done.error());
}

}  // namespace snarl::cli
