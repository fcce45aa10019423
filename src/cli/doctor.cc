#include <fmt/format.h>
#include <unistd.h>

#include "cli/configuration.h"
#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/print_config.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "cli/verbs.h"
#include "explore/doctor/examine.h"
#include "os/core_claims.h"
#include "os/cores.h"
#include "os/keeper.h"
#include "report/text/checkup.h"

namespace snarl::cli {

std::string doctor_help() {
  return R"(usage: snarl doctor [OPTIONS] PROGRAM [ARGUMENTS]

Says whether snarl can test PROGRAM, and if not, why and what to do. Looks at its file and libraries,
runs it once without control to see what it does to the world outside (files, sockets, processes),
and once under control. The two runs do what PROGRAM does: they are not simulated.
)" + options_help(kDoctor) +
         R"(
Examples:
  snarl doctor ./bank
  snarl doctor --json -- ./server --self-test
Exit code: 0 it can be tested, 2 wrong usage, 4 it can't, 125 snarl failed, 126 and 127 program not
executable or not found.
)";
}

namespace {

constexpr int kNothingToTest = 4;

bool takes_value(const std::string& word) {
  for (const OptionInfo& option : option_table())
    if ((option.verbs & kDoctor) != 0 && word == std::string("--") + option.name) return option.metavar != nullptr;
  return false;
}

// The program's own options are its own: all that follows its name belongs to it.
Words with_separator(Words words) {
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    if (takes_value(words[i])) {
      ++i;
    } else if (!words[i].starts_with('-')) {
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), "--");
      break;
    }
  }
  return words;
}

int report(report::Checkup checkup, const Words& command, bool json) {
  checkup.version = SNARL_VERSION;
  checkup.command = command;
  show(json ? report::checkup_json_text(checkup)
            : report::checkup_text(checkup, text_options(STDOUT_FILENO, ColorMode::kAuto)));
  return checkup.testable ? 0 : kNothingToTest;
}

Expected<explore::Setup> prepare(const Arguments& arguments, explore::Target target) {
  Expected<double> longest = parse_duration("--timeout", arguments.get("timeout"));
  if (!longest) return longest.error();
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return runtime.error();
  explore::Setup setup;
  setup.target = std::move(target);
  setup.runtime = std::move(*runtime);
  setup.environment = own_environment();
  setup.timeout = *longest;
  return setup;
}

}  // namespace

int doctor_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kDoctor, with_separator(words));
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, doctor_help)) return *code;
  const bool json = arguments->has("json");
  Expected<explore::Target> target = explore::find_target(arguments->command, search_path());
  if (!target && target.error().exit_code != kNothingToTest) return complain(target.error());
  if (!target)
    return report(explore::examine_refused(explore::find_program(arguments->command[0], search_path()), target.error()),
                  arguments->command, json);
  Expected<explore::Setup> setup = prepare(*arguments, std::move(*target));
  if (!setup) return complain(setup.error());
  os::begin_below_keeper();
  const os::CoreClaims claims(os::allowed_cores(), 1);
  Expected<os::Guard> guard = os::Guard::start();
  if (!guard) return complain(guard.error());
  Expected<os::StandardInput> input = prepare_input();
  if (!input) return complain(input.error());
  setup->input = &*input;
  Interrupt interrupt;
  report::Checkup checkup = explore::examine(*setup, *guard, claims.cores().front(), interrupt.fd());
  if (interrupt.taken() != 0) return 128 + interrupt.taken();
  return report(std::move(checkup), arguments->command, json);
}

}  // namespace snarl::cli
