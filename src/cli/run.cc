#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <optional>

#include "cli/bisect.h"
#include "cli/blind_spots.h"
#include "cli/configuration.h"
#include "cli/corpus.h"
#include "cli/emitters.h"
#include "cli/expectations.h"
#include "cli/follow.h"
#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/launcher.h"
#include "cli/once.h"
#include "cli/one_thread.h"
#include "cli/print_config.h"
#include "cli/reporter.h"
#include "cli/run_options.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/campaign/explorer.h"
#include "explore/execute/rewinding.h"
#include "explore/execute/worker.h"
#include "explore/target/policy_files.h"
#include "os/core_claims.h"
#include "os/cores.h"
#include "os/keeper.h"
#include "os/system.h"
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

Status take_program(Arguments& arguments, const char* verb) {
  std::vector<std::string>& words = arguments.operands;
  if (words.empty()) return Done{};
  const bool is_clear = !arguments.has_command && !arguments.mixed;
  const std::string program = explore::find_program(words[0], search_path());
  const bool is_path = words[0].find('/') != std::string::npos;  // one that is not there is said to be a program, too
  if (!is_clear || (!is_path && access(program.c_str(), X_OK) != 0))
    return Error{fmt::format("what is \"{}\"?", words[0]),
                 fmt::format("the program stands after --: snarl {} -- {}", verb, words[0]), 2};
  arguments.command = std::move(words);
  words.clear();
  return Done{};
}

Status check_session(const Arguments& given) {
  Arguments arguments = given;
  if (Status taken = take_program(arguments, given.verb() == kClassify ? "classify" : "run"); !taken) return taken;
  if (const Expected<RunOptions> options = read_run_options(arguments); !options) return options.error();
  if (arguments.command.empty()) return Done{};
  const Expected<explore::Target> target = explore::find_target(arguments.command, search_path());
  return target ? Status(Done{}) : target.error();
}

Expected<Session> prepare(const Arguments& arguments) {
  Expected<RunOptions> options = read_run_options(arguments);
  if (!options) return options.error();
  Expected<explore::Target> target = explore::find_target(arguments.command, search_path());
  if (!target) return target.error();
  if (options->launcher && only_lists(arguments.command)) exit(become(*target));
  fit_to_build(*target, *options);
  if (Status begun = begin_output_files(options->files, arguments.command); !begun) return begun.error();
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
  if (session.setup.reset == wire::Reset::kRewind) {
    session.setup.rewinding =
        std::make_shared<explore::Rewinding>(session.options.rewind_check, session.options.rewinds_at);
  }
  session.setup.switching = session.options.switching;
  session.setup.timeout = session.options.timeout;
  session.setup.settings = session.options.settings;
  session.setup.settings.clock_base = os::wall_clock();  // every run, and every replay, begins at the same time of day
  if (arguments.given("slice") == nullptr)
    session.setup.settings.patience = within(session.options.timeout, session.options.settings.patience);
  session.setup.functions = session.options.functions;
  session.setup.expectations = session.options.expectations;
  if (Status loaded = explore::load_policy_files(session.options.plan.policies, session.setup); !loaded)
    return loaded.error();
  return session;
}

namespace {

void complete(report::Summary& summary, const Session& session, Reporter& reporter,
              const explore::Exploration& exploration, const explore::Store& store) {
  summary.version = SNARL_VERSION;
  summary.command = session.setup.target.command;
  summary.findings = reporter.summary(exploration.seen, summary.policy);
  summary.notes = reporter.notes(exploration.seen);
  summary.spin_loops = reporter.spin_loops(exploration.spin_loops);
  summary.suppressions_file = session.options.suppressions_file;
  summary.suppressions = reporter.suppressions(exploration.seen);
  summary.output = store.path();
}

// Why there is no verdict; nothing if there is one.
std::optional<Error> problem_of(const explore::Exploration& exploration, const explore::Target& target) {
  if (exploration.error) return exploration.error;
  if (exploration.one_thread) return one_thread_error(target, exploration);
  if (exploration.fails_anyway)
    return Error{"the program fails in each run without snarl too, and under every schedule tried",
                 "make it pass on its own first; the findings are kept", 5};
  const uint64_t failures = exploration.confirmed + exploration.summary.unconfirmed;
  if (failures == 0 && exploration.summary.schedules == 0 && !exploration.summary.unpatched.empty())
    return Error{"nothing was tested: snarl's patches of " + exploration.summary.unpatched.back().file +
                     " made it fail, and no time was left to do without them",
                 "give it more time (-t), or run with --points sync", 125};
  const report::Summary& summary = exploration.summary;
  if (failures == 0 && summary.schedules > 0 && summary.too_long == summary.schedules)
    return Error{
        fmt::format("nothing was tested: each schedule took more than {} steps", report::grouped(summary.step_budget)),
        fmt::format("raise the limit (--steps {}), or give the program less to do", report::enough_steps(summary)), 4};
  if (failures == 0 && exploration.summary.schedules == 0)
    return Error{"nothing was tested: not one schedule came to its end in the time given",
                 "give it more time (-t), or the program less to do", 4};
  return std::nullopt;
}

report::Ending ending_of(const explore::Exploration& exploration, const explore::Target& target, int signal_number) {
  if (exploration.interrupted)
    return {.exit_code = 128 + signal_number, .problem = Error{"interrupted before everything was tried"}};
  report::Ending ending{.problem = problem_of(exploration, target)};
  const bool is_usage = exploration.error && exploration.error->exit_code == 2;
  ending.tested = !exploration.one_thread && !is_usage;
  const bool found = exploration.confirmed + exploration.summary.unconfirmed > 0;
  ending.exit_code = ending.problem ? ending.problem->exit_code : found ? 1 : 0;
  return ending;
}

void tell_beginning(const RunOptions& options, const explore::Store& store) {
  tell(fmt::format("snarl: seed 0x{:x}, {} at a time, results in {}\n", options.plan.seed, options.cpus.size(),
                   store.path()));
  if (store.path() != options.output) tell(fmt::format("snarl: another run writes to {}\n", options.output));
  if (!store.previous().empty()) tell(fmt::format("snarl: findings of an earlier run are in {}\n", store.previous()));
}

// What the old schedules add to the summary; alone, if the exploration was not begun.
void add_corpus(const CorpusRuns& tried, bool explored, const Session& session, explore::Exploration& exploration) {
  report::Summary& s = exploration.summary;
  exploration.confirmed += tried.again;
  if (explored) return;
  s.schedules = tried.runs;
  s.failing_schedules = tried.again;
  s.seed = session.options.plan.seed;
  s.switching = s.reset = {"as recorded", "only old schedules were run"};
}

report::SummaryNote corpus_note(const CorpusRuns& tried, size_t schedules) {
  return {"corpus",
          fmt::format("{} first: {} again", report::counted(schedules, "old schedule", "old schedules"),
                      report::counted(tried.again, "fails", "fail")),
          tried.runs};
}

report::SummaryNote prediction_note(const explore::Predicted& sum) {
  const auto confirmed =
      std::ranges::count_if(sum.races, [&](const auto& race) { return sum.confirmed.contains(race); });
  std::string text = fmt::format(
      "{} predicted, {} of which happens-before orders where it was predicted: {} confirmed, {} "
      "not reached",
      report::counted(sum.races.size(), "race", "races"), sum.missed.size(), confirmed,
      sum.races.size() - static_cast<size_t>(confirmed));
  if (!sum.solved && sum.schedules > 0) text += "; libz3 is not installed, so critical sections stayed in their order";
  if (sum.cut > 0) text += fmt::format("; {} not looked at as a whole", report::counted(sum.cut, "trace", "traces"));
  return {"prediction", text, sum.schedules};
}

int explore_and_report(const Session& session, os::Guard& guard) {
  Interrupt interrupt;
  Expected<std::vector<Schedule>> corpus = session.options.corpus.empty()
                                               ? Expected<std::vector<Schedule>>(std::vector<Schedule>())
                                               : read_corpus(session.options.corpus, session.setup.target.program);
  if (!corpus) return complain(corpus.error());
  Expected<explore::Store> store = explore::Store::open(session.options.output);
  if (!store) return complain(store.error());
  explore::ExploreOptions options{.plan = session.options.plan,
                                  .seconds = session.options.seconds,
                                  .cpus = session.options.cpus,
                                  .stop_fd = interrupt.fd(),
                                  .after_finding = session.options.after_finding,
                                  .stop_at_race = session.options.stop_at_race,
                                  .predict = session.options.predict,
                                  .shorten = session.options.shorten,
                                  .explain = session.options.explain};
  tell_beginning(session.options, *store);
  report::Emitters emitters = make_emitters({session.options, *store});
  Reporter reporter(session.setup, session.options.suppressions, *store, emitters);
  explore::Workers workers(guard);
  Expected<CorpusRuns> tried =
      run_corpus(*corpus, session.setup, workers, options.cpus.front(), options.stop_fd, reporter);
  if (!tried && interrupt.taken() == 0) return complain(tried.error());
  const bool explores = tried && (tried->again == 0 || options.plan.keep_going);
  explore::Exploration exploration =
      explores ? explore::explore(session.setup, options, workers, reporter) : explore::Exploration();
  exploration.interrupted |= !tried;
  if (tried) add_corpus(*tried, explores, session, exploration);
  complete(exploration.summary, session, reporter, exploration, *store);
  if (session.setup.settings.races && !exploration.error)
    for (report::SummaryNote& note : blind_spots(session.setup, exploration.summary.schedules, guard))
      exploration.summary.notes.push_back(std::move(note));
  if (session.options.predict) exploration.summary.notes.push_back(prediction_note(exploration.predicted));
  if (tried && !corpus->empty())
    exploration.summary.notes.insert(exploration.summary.notes.begin(), corpus_note(*tried, corpus->size()));
  const report::Ending ending = ending_of(exploration, session.setup.target, interrupt.taken());
  const Status ended = emitters.end(exploration.summary, ending);
  if (!ended) complain(ended.error());
  if (ending.problem && !exploration.interrupted) complain(*ending.problem);
  return ending.exit_code == 0 && !ended ? ended.error().exit_code : ending.exit_code;
}

int explore_with_input(Session& session, os::Guard& guard) {
  Expected<os::StandardInput> input = prepare_input();
  if (!input) return complain(input.error());
  session.setup.input = &*input;
  if (session.options.follow)
    if (Status followed = follow_program(session, guard, *input); !followed) return complain(followed.error());
  if (Status learned = learn_output(session, guard); !learned) return complain(learned.error());
  return explore_and_report(session, guard);
}

// One schedule is all that there is.
int left_as_it_is(const Session& session, int code) {
  report::Summary summary;
  summary.version = SNARL_VERSION;
  summary.command = session.setup.target.command;
  const report::Ending ending{
      .tested = false, .exit_code = code, .problem = Error{"the program used one thread: it ran once, without snarl"}};
  const Status written = write_output_files(session.options.files, {summary, {}, ending, session.options.files.root});
  return written ? code : complain(written.error());
}

// First the program as it is, with its own output: what has one thread has one schedule.
int launch(Session& session, os::Guard& guard) {
  const OnceEnd end = run_once(session.options, session.setup, guard);
  const int own_code = judged_exit_code(session.options, end.exit_code);
  const bool judges_output = session.options.same_output ||
                             (session.options.expectations != nullptr && session.options.expectations->of_output());
  if (end.threads < 2 && own_code == 0 && judges_output)
    return complain({"nothing was judged: the program used one thread, and its output went past snarl",
                     "without threads, a plain test can compare its output", 4});
  if (end.threads < 2) return left_as_it_is(session, own_code);
  const int code = explore_with_input(session, guard);
  return code == 0 ? own_code : code;
}

int run_with(const Arguments& arguments) {
  Expected<Session> session = prepare(arguments);
  if (!session) return complain(session.error());
  os::begin_below_keeper();
  const os::CoreClaims claims(os::allowed_cores(), session->options.cpus.size());
  session->options.cpus = claims.cores();
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
  if (const std::optional<int> code = answered(*arguments, run_help, check_session)) return *code;
  if (Status taken = take_program(*arguments, "run"); !taken) return complain(taken.error());
  tell(misspelt_variables(own_environment()));
  const int code = run_with(*arguments);
  return arguments->has("bisect") ? bisect_code(code) : code;
}

}  // namespace snarl::cli
