#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "cli/bisect.h"
#include "cli/configuration.h"
#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/launcher.h"
#include "cli/once.h"
#include "cli/print_config.h"
#include "cli/reporter.h"
#include "cli/run_options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/campaign/explorer.h"
#include "explore/target/policy_files.h"
#include "report/printable.h"

namespace snarl::cli {
namespace {

// Whoever computes for good is stopped before its schedule is over: the report then says where.
Patience within(double timeout, Patience patience) {
  patience.slice = std::min(patience.slice, static_cast<uint64_t>(timeout * 1e9 / 4));
  return patience;
}

}  // namespace

std::string run_help() {
  return R"(usage: snarl run [OPTIONS] -- PROGRAM [ARGUMENTS]

Runs PROGRAM under many schedules of its threads until it fails, replays the failure in a fresh
process, and shows how it came to it. PROGRAM is any dynamically linked program; it is not changed.
)" + options_help(kRun) +
         R"(
Examples:
  snarl run -- ./bank                         a minute, or until the first failure
  snarl run -n 10000 -p pct:depth=2 -- ./bank
  snarl run -t 5m --keep-going -- ./server --self-test
  git bisect run sh -c 'make || exit 125; snarl run --bisect -t 20s -- ./bank'

Exit code: 0 nothing found, 1 a finding, 2 wrong usage, 4 nothing to test, 5 the program fails without
snarl too, 125 snarl failed, 126 and 127 program not executable or not found, 128+n ended by signal n.
)";
}

Expected<Session> prepare(const Arguments& arguments) {
  if (!arguments.operands.empty())
    return Error{fmt::format("what is \"{}\"?", arguments.operands[0]),
                 fmt::format("the program stands after --: snarl run -- {}", arguments.operands[0]), 2};
  Expected<RunOptions> options = read_run_options(arguments);
  if (!options) return options.error();
  Expected<explore::Target> target = explore::find_target(arguments.command, search_path());
  if (!target) return target.error();
  if (options->launcher && only_lists(arguments.command)) exit(become(*target));
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return runtime.error();
  Session session;
  session.options = std::move(*options);
  session.setup.target = std::move(*target);
  session.setup.runtime = std::move(*runtime);
  session.setup.scanner = own_path();
  session.setup.cache = cache_folder(arguments.get("cache"));
  session.setup.environment = own_environment();
  session.setup.reset = session.options.reset;
  session.setup.switching = session.options.switching;
  session.setup.timeout = session.options.timeout;
  session.setup.settings = session.options.settings;
  if (arguments.given("slice") == nullptr)
    session.setup.settings.patience = within(session.options.timeout, session.options.settings.patience);
  session.setup.functions = session.options.functions;
  if (Status loaded = explore::load_policy_files(session.options.plan.policies, session.setup); !loaded)
    return loaded.error();
  return session;
}

namespace {

void complete(report::Summary& summary, const Session& session, const Reporter& reporter,
              const explore::Exploration& exploration, const explore::Store& store) {
  summary.version = SNARL_VERSION;
  summary.command = session.setup.target.command;
  summary.findings = reporter.summary(exploration.seen, summary.policy);
  summary.notes = reporter.notes(exploration.seen);
  summary.suppressions_file = session.options.suppressions_file;
  summary.suppressions = reporter.suppressions(exploration.seen);
  summary.output = store.path();
}

// What the user reads on stdout at the end.
std::string report_text(const Session& session, const report::Summary& summary, const Reporter& reporter) {
  if (session.options.json) return report::summary_json_text(summary);
  const report::TextOptions options = text_options(STDOUT_FILENO, session.options.color);
  std::string text;
  for (const report::Finding& finding : reporter.findings()) text += report::finding_text(finding, options) + "\n";
  return text + report::summary_text(summary, options);
}

int exit_code_of(const explore::Exploration& exploration, int signal_number) {
  if (exploration.interrupted) return 128 + signal_number;
  if (exploration.error) return complain(*exploration.error);
  if (exploration.one_thread)
    return complain(
        {"nothing to test: the program used one thread", "give it arguments or input that make it start threads", 4});
  if (exploration.fails_anyway)
    return complain({"the program fails in each run without snarl too, and under every schedule tried",
                     "make it pass on its own first; the findings are kept", 5});
  const uint64_t failures = exploration.confirmed + exploration.summary.unconfirmed;
  if (failures == 0 && exploration.summary.schedules == 0 && !exploration.summary.unpatched.empty())
    return complain({"nothing was tested: snarl's patches of " + exploration.summary.unpatched.back().file +
                         " made it crash, and no time was left to do without them",
                     "give it more time (-t), or run with --points sync", 125});
  const report::Summary& summary = exploration.summary;
  if (failures == 0 && summary.schedules > 0 && summary.too_long == summary.schedules)
    return complain(
        {fmt::format("nothing was tested: each schedule took more than {} steps", report::grouped(summary.step_budget)),
         fmt::format("raise the limit (--steps {}), or give the program less to do", report::enough_steps(summary)),
         4});
  if (failures == 0 && exploration.summary.schedules == 0)
    return complain({"nothing was tested: not one schedule came to its end in the time given",
                     "give it more time (-t), or the program less to do", 4});
  return failures > 0 ? 1 : 0;
}

int explore_and_report(const Session& session, os::Guard& guard) {
  Interrupt interrupt;
  Expected<explore::Store> store = explore::Store::open(session.options.output);
  if (!store) return complain(store.error());
  explore::ExploreOptions options{session.options.plan, session.options.seconds, session.options.cpus, interrupt.fd()};
  tell(fmt::format("snarl: seed 0x{:x}, {} at a time, results in {}\n", options.plan.seed, options.cpus.size(),
                   store->path()));
  Reporter reporter(session.setup, session.options.suppressions, *store, has_live_lines(STDERR_FILENO));
  explore::Exploration exploration = explore::explore(session.setup, options, guard, reporter);
  reporter.line().clear();
  complete(exploration.summary, session, reporter, exploration, *store);
  if (Status written = store->write_summary(report::summary_json_text(exploration.summary)); !written)
    return complain(written.error());
  const bool is_usage = exploration.error && exploration.error->exit_code == 2;
  if (!exploration.one_thread && !is_usage) show(report_text(session, exploration.summary, reporter));
  return exit_code_of(exploration, interrupt.taken());
}

int explore_with_input(Session& session, os::Guard& guard) {
  Expected<os::StandardInput> input = prepare_input();
  if (!input) return complain(input.error());
  session.setup.input = &*input;
  return explore_and_report(session, guard);
}

// First the program as it is, with its own output: what has one thread has one schedule.
int launch(Session& session, os::Guard& guard) {
  const OnceEnd end = run_once(session.options, session.setup, guard);
  if (end.threads < 2) return end.exit_code;
  const int code = explore_with_input(session, guard);
  return code == 0 ? end.exit_code : code;
}

int run_with(const Arguments& arguments) {
  Expected<Session> session = prepare(arguments);
  if (!session) return complain(session.error());
  Expected<os::Guard> guard = os::Guard::start();
  if (!guard) return complain(guard.error());
  if (session->options.once) return run_once(session->options, session->setup, *guard).exit_code;
  if (session->options.launcher) return launch(*session, *guard);
  return explore_with_input(*session, *guard);
}

}  // namespace

int run_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kRun, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, run_help)) return *code;
  const int code = run_with(*arguments);
  return arguments->has("bisect") ? bisect_code(code) : code;
}

}  // namespace snarl::cli
