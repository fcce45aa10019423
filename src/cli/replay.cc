#include "explore/execute/replay.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/configuration.h"
#include "cli/debug.h"
#include "cli/environment_changes.h"
#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/print_config.h"
#include "cli/replay_source.h"
#include "cli/run_options.h"
#include "cli/state_key.h"
#include "cli/terminal.h"
#include "cli/trust.h"
#include "cli/values.h"
#include "cli/verbs.h"
#include "explain/diagnose/diagnose.h"
#include "explore/execute/worker.h"
#include "os/core_claims.h"
#include "os/cores.h"
#include "os/keeper.h"
#include "os/read_file.h"
#include "report/printable.h"
#include "report/text/finding.h"
#include "report/text/in_words.h"
#include "symbolize/symbolizer.h"

namespace snarl::cli {

std::string replay_help() {
  return R"(usage: snarl replay [OPTIONS] [PATH | NUMBER] [-- PROGRAM ARGUMENTS]

Follows a recorded schedule in a fresh process and says whether the failure happened again. PATH is an
output folder (its latest finding), a finding's folder or a schedule file; NUMBER is a finding of
./snarl-out, such as 0001; without either it is the latest finding of ./snarl-out.
The command comes from the schedule, if you recorded it yourself and the program is still the same build; else give it
after --, or, for a schedule that somebody else recorded, say --trust.
)" + options_help(kReplay) +
         R"(
Exit code: 1 the failure happened again, 0 the program passed, 3 the replay diverged, 4 it took more than --steps,
2 wrong usage.
)";
}

namespace {

struct Tally {
  uint64_t same = 0, other = 0, passed = 0, diverged = 0;
  uint64_t too_long = 0;   // used up the step budget, and did not end in ten times that: no verdict
  std::string other_kind;  // of the last one that failed in another way
  uint64_t all() const { return same + other + passed + diverged + too_long; }
};

struct Session {
  std::shared_ptr<const Schedule> schedule;
  std::string path;        // of its file
  bool same_build = true;  // else places mean nothing, and only the kind of failure is compared
  explore::Setup setup;
  uint64_t times = 1;
  bool json = false;
  bool quiet = false;
  bool brief = true;  // ReplayManner's
  bool gdb = false;
  bool trusted = false;              // the finding is ours, or the user says that it may be taken for that
  std::optional<std::string> input;  // of the recorded run
  std::string folder;                // where the program is to run; empty: here
  ColorMode color = ColorMode::kAuto;
};

Expected<ReplaySource> source_of(const Arguments& arguments) {
  if (arguments.operands.size() > 1)
    return Error{"more than one schedule to replay", "name one folder, file or number", 2};
  return find_schedule(arguments.operands.empty() ? "" : arguments.operands[0], plain_path(arguments.get("output")));
}

// A finding that is ours is replayed where it was recorded: its command may name files there. One that is taken for
// ours, here.
Expected<Session> with_evidence(const Arguments& arguments, const ReplaySource& source, Evidence evidence) {
  Session session;
  const bool says_so = arguments.has("trust");
  if (!evidence.folder && !says_so && arguments.command.empty()) return refusal(source, evidence);
  session.trusted = says_so || evidence.folder;
  session.input = std::move(evidence.input);
  if (!says_so && arguments.command.empty()) session.folder = *evidence.folder;
  return session;
}

// A program that was followed has the same environment and files as there.
void start_alike(const Schedule& schedule, explore::Setup& setup) {
  setup.target.start = schedule.start;
  setup.environment = changed(std::move(setup.environment), schedule.start.environment);
}

Expected<Session> prepare(const Arguments& arguments, Expected<ReplaySource> source, Evidence evidence) {
  Expected<Session> begun = with_evidence(arguments, *source, std::move(evidence));
  if (!begun) return begun;
  Session session = std::move(*begun);
  Expected<explore::Target> target = replay_target(source->schedule, arguments.command, search_path());
  if (!target) return target.error();
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return runtime.error();
  const auto label = [&](const char* name) { return arguments.label(name); };
  Expected<uint64_t> times = parse_count(label("times"), arguments.get("times"), 1, 1'000'000);
  if (!times) return times.error();
  Expected<double> timeout = parse_duration(label("timeout"), arguments.get("timeout"));
  if (!timeout) return timeout.error();
  RunSettings settings = source->schedule.settings;
  if (Status read = read_settings(arguments, Recorded::kSchedule, settings); !read) return read.error();
  Expected<explore::Switching> switching = read_switching(arguments);
  if (!switching) return switching.error();
  Expected<ColorMode> color = read_color(arguments);
  if (!color) return color.error();
  std::error_code error;
  session.path = std::filesystem::absolute(source->path, error);
  session.same_build = target->build_id == source->schedule.build_id;
  session.schedule = std::make_shared<const Schedule>(std::move(source->schedule));
  session.setup.target = std::move(*target);
  session.setup.runtime = std::move(*runtime);
  session.setup.scanner = own_path();
  session.setup.cache = cache_folder(arguments.get("cache"));
  session.setup.environment = own_environment();
  if (session.trusted) start_alike(*session.schedule, session.setup);
  session.setup.timeout = *timeout;
  session.setup.settings = settings;
  session.setup.switching = *switching;
  session.setup.functions = session.schedule->functions;
  session.setup.unpatched = session.schedule->unpatched;
  session.setup.expectations = session.schedule->expectations;
  session.times = *times;
  session.color = *color;
  session.json = arguments.has("json");
  const Given* patience_given = arguments.given("timeout");
  session.brief = session.same_build && (patience_given == nullptr || patience_given->source != Source::kFlag);
  session.quiet = arguments.has("quiet");
  session.gdb = arguments.has("gdb");
  return session;
}

// Of another build only the kind of failure is compared.
bool choose_kind(record::RunRecord& record, const std::string& kind) {
  for (const record::Failure& failure : explain::failures_of(record)) {
    record.failure = failure;
    if (explain::kind_of(record) == kind) return true;
  }
  record.failure = {};
  return false;
}

// How a run that did not fail counts.
uint64_t& unfailed(const record::RunRecord& record, const Session& session, Tally& tally) {
  if (session.schedule->failure == name_of(record.outcome)) return tally.same;
  return record.outcome == OutcomeKind::kStepBudget ? tally.too_long : tally.passed;
}

// Makes what was recorded the failure of the record, if it is among what is wrong with it.
void count(record::RunRecord& record, const Session& session, Tally& tally) {
  const Schedule& schedule = *session.schedule;
  const bool any_place = schedule.signature.empty() || !session.same_build;
  const bool again =
      any_place ? choose_kind(record, schedule.failure) : explain::choose_failure(record, schedule.signature);
  if (record.outcome == OutcomeKind::kDivergence && !again)
    ++tally.diverged;
  else if (!explain::fails(record))
    ++unfailed(record, session, tally);
  else
    ++(again ? tally.same : tally.other);
  if (again || !explain::fails(record)) return;
  record.failure = explain::failures_of(record).back();
  tally.other_kind = explain::kind_of(record);
}

int exit_code_of(const Tally& tally) {
  if (tally.diverged > 0) return 3;
  if (tally.same + tally.other > 0) return 1;
  return tally.too_long > 0 ? 4 : 0;
}

// What a replay of a run that took too long leaves out.
std::string brevity_text(const Tally& tally, const Session& session) {
  if (!session.brief || tally.same == 0 || session.schedule->failure != name_of(OutcomeKind::kTimeout)) return "";
  return fmt::format(
      "  ended {:.3g} s after the last recorded switch, where the recorded run was when its time was up;\n"
      "  --timeout {:.3g}s lets it have its whole time\n",
      session.setup.timeout / 10, session.setup.timeout);
}

std::string result_text(const Tally& tally, const Session& session, const record::RunRecord& last,
                        symbolize::Symbolizer& symbolizer) {
  const Schedule& schedule = *session.schedule;
  std::string text;
  const auto line = [&](uint64_t times, const std::string& what) {
    if (times > 0) text += fmt::format("Replay: {}, {} of {}\n", what, times, tally.all());
  };
  line(tally.same, schedule.failure + " again");
  text += brevity_text(tally, session);
  line(tally.other, fmt::format("another failure ({})", tally.other_kind));
  line(tally.passed, "the program passed");
  line(tally.too_long, fmt::format("no verdict, as it took more than {} steps (--steps gives more)",
                                   report::grouped(session.setup.settings.step_budget)));
  line(tally.diverged, "diverged");
  if (tally.diverged > 0) text += divergence_text(last, schedule, symbolizer);
  return text;
}

std::string result_json(const Tally& tally, const Schedule& schedule, const record::RunRecord& last,
                        symbolize::Symbolizer& symbolizer) {
  nlohmann::json json = {{"schema", "snarl.replay/1"},      {"failure", schedule.failure},
                         {"signature", schedule.signature}, {"times", tally.all()},
                         {"reproduced", tally.same},        {"other", tally.other},
                         {"passed", tally.passed},          {"diverged", tally.diverged},
                         {"too_long", tally.too_long},      {"outcome", name_of(last.outcome)},
                         {"kind", explain::kind_of(last)}};
  if (tally.diverged > 0) json["divergence"] = divergence_text(last, schedule, symbolizer);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// The report of a replay that failed: the stored one if it is beside the schedule and the failure is
// the same, else one of this very run.
std::string report_of(const record::RunRecord& record, const Tally& tally, const Session& session,
                      symbolize::Symbolizer& symbolizer) {
  if (session.quiet || !explain::fails(record)) return {};
  const report::TextOptions options = text_options(STDOUT_FILENO, session.color);
  const std::string beside = std::filesystem::path(session.path).replace_filename("report.json");
  if (const Expected<std::string> json = os::read_file(beside, 2); json && tally.same > 0 && session.same_build)
    if (const Expected<report::FindingDocument> stored = report::finding_from_json_text(*json))
      return report::finding_text(*stored, options) + "\n";
  explain::FindingContext context;
  context.policy = session.schedule->policy;
  context.schedules_before = session.schedule->key.index;
  context.program = session.setup.target.program;
  context.argv = session.setup.target.command;
  std::error_code error;
  context.directory = std::filesystem::current_path(error);
  context.commands = explain::commands_for(session.path);
  return report::finding_text(report::in_words(explain::diagnose(record, &record, symbolizer, context)), options) +
         "\n";
}

// Only the first is traced: the others are asked nothing but how they end.
int replay_all(const Session& session, os::Guard& guard) {
  Interrupt interrupt;
  Tally tally;
  std::vector<record::RunRecord> ends;  // of the first and of the last
  const std::vector<int> allowed = os::allowed_cores();
  const os::CoreClaims claims(allowed, std::min<uint64_t>(session.times, allowed.size()));
  explore::Workers workers(guard);
  for (uint64_t i = 0; i < session.times && tally.diverged == 0; ++i) {
    Expected<record::RunRecord> record =
        explore::replay(session.schedule, session.setup, workers, claims.cores()[i % claims.cores().size()],
                        interrupt.fd(), {.trace = i == 0, .brief = session.brief});
    if (interrupt.taken() != 0) return 128 + interrupt.taken();
    if (!record) return complain(record.error());
    if (record->outcome == OutcomeKind::kRefused) return complain({record->message, {}, 4});
    count(*record, session, tally);
    if (ends.size() == 2) ends.pop_back();
    ends.push_back(std::move(*record));
  }
  symbolize::Symbolizer symbolizer;
  const record::RunRecord& shown = explain::fails(ends.front()) ? ends.front() : ends.back();
  const std::string text = session.json ? result_json(tally, *session.schedule, ends.back(), symbolizer)
                                        : report_of(shown, tally, session, symbolizer) +
                                              result_text(tally, session, ends.back(), symbolizer);
  show(text);
  return exit_code_of(tally);
}

// What the recorded run read is part of why it failed; ours counts where nothing was kept.
Expected<os::StandardInput> input_of(const Session& session) {
  return session.input ? os::StandardInput::from_text(*session.input) : prepare_input();
}

// What came with a finding that is not known to be ours chooses nothing.
Expected<Arguments> without_config(const Arguments& arguments, const Words& words) {
  fmt::print(stderr, "snarl: ignoring {}, which may have come with the finding (--config FILE takes it all the same)\n",
             printable_line(arguments.config_file));
  Words again = {"--config="};
  again.insert(again.end(), words.begin(), words.end());
  return read_arguments(kReplay, again);
}

Expected<Session> prepare(Arguments arguments, const Words& words) {
  Expected<ReplaySource> source = source_of(arguments);
  if (!source) return source.error();
  Expected<Evidence> evidence = examine(*source, key_path());
  if (!evidence) return evidence.error();
  if (!evidence->folder && !arguments.has("trust") && has_config_around(arguments, source->path)) {
    Expected<Arguments> plain = without_config(arguments, words);
    if (!plain) return plain.error();
    arguments = std::move(*plain);
  }
  return prepare(arguments, std::move(source), std::move(*evidence));
}

// PWD says the same, for programs that go by it.
Status enter_folder(Session& session) {
  if (session.folder.empty()) return Done{};
  std::error_code error;
  if (std::filesystem::current_path(error) == session.folder) return Done{};
  std::filesystem::current_path(session.folder, error);
  if (error)
    return Error{
        fmt::format("can't enter {}, where the program ran: {}", printable_line(session.folder), error.message()),
        "--trust runs it here", 2};
  for (std::string& variable : session.setup.environment)
    if (variable.starts_with("PWD=")) variable = "PWD=" + session.folder;
  return Done{};
}

}  // namespace

int replay_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kReplay, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, replay_help)) return *code;
  Expected<Session> session = prepare(std::move(*arguments), words);
  if (!session) return complain(session.error());
  if (Status entered = enter_folder(*session); !entered) return complain(entered.error());
  os::begin_below_keeper();
  Expected<os::Guard> guard = os::Guard::start();
  if (!guard) return complain(guard.error());
  if (session->gdb) return replay_in_gdb(session->schedule, session->setup, *guard, session->trusted);
  Expected<os::StandardInput> input = input_of(*session);
  if (!input) return complain(input.error());
  session->setup.input = &*input;
  return replay_all(*session, *guard);
}

}  // namespace snarl::cli
