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
#include "cli/fails_again.h"
#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/lanes_replay.h"
#include "cli/print_config.h"
#include "cli/recorded.h"
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
#include "report/formats/finding_json.h"
#include "report/printable.h"
#include "report/text/event_log.h"
#include "report/text/finding.h"
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
  uint64_t near_tries = 0;  // after a divergence, runs near the schedule until one failed again; 0: none did
  std::string continued;    // likewise, how a run ended that went on there; empty: there was none
  bool continued_failed = false;
  uint64_t too_long = 0;   // used up the step budget, and did not end in ten times that: no verdict
  std::string other_kind;  // of the last one that failed in another way
  uint64_t all() const { return same + other + passed + diverged + too_long; }
};

// What is done where the schedule can't be followed. In the order of the option's words.
enum class OnDivergence { kFail, kContinue, kSearch };

struct Session : RecordedRun {
  uint64_t times = 1;
  bool quiet = false;
  bool brief = true;  // ReplayManner's
  bool gdb = false;
  std::vector<std::string> gdb_words;  // for gdb, where it stops first
  bool print = false;                  // all steps instead of the report ...
  Step until = 0;                      // ... up to this one; 0: all
  OnDivergence on_divergence = OnDivergence::kFail;
};

Expected<Session> prepare(Arguments arguments, const Words& words) {
  Expected<RecordedRun> run = take_recorded(kReplay, arguments, words);
  if (!run) return run.error();
  Session session{std::move(*run)};
  const auto label = [&](const char* name) { return arguments.label(name); };
  Expected<uint64_t> times = parse_count(label("times"), arguments.get("times"), 1, 1'000'000);
  if (!times) return times.error();
  session.times = *times;
  const Given* patience_given = arguments.given("timeout");
  session.brief = session.same_build && (patience_given == nullptr || patience_given->source != Source::kFlag);
  session.quiet = arguments.has("quiet");
  for (const std::string& file : arguments.all("gdb-file"))
    session.gdb_words.insert(session.gdb_words.end(), {"-x", file});
  for (const std::string& command : arguments.all("gdb-command"))
    session.gdb_words.insert(session.gdb_words.end(), {"-ex", command});
  session.gdb = arguments.has("gdb") || !session.gdb_words.empty();
  Expected<uint64_t> until =
      parse_count(label("until"), arguments.has("until") ? arguments.get("until") : "0", 0, uint64_t{1} << 62);
  if (!until) return until.error();
  session.until = *until;
  session.print = arguments.has("print");
  if (session.until > 0 && !session.print && !session.gdb) return Error{"--until goes with --print or --gdb", {}, 2};
  if (session.print && (session.gdb || session.json))
    return Error{fmt::format("--print and --{} exclude each other", session.gdb ? "gdb" : "json"), {}, 2};
  Expected<size_t> on_divergence =
      parse_choice(label("on-divergence"), arguments.get("on-divergence"), "fail|continue|search");
  if (!on_divergence) return on_divergence.error();
  session.on_divergence = static_cast<OnDivergence>(*on_divergence);
  return session;
}

// How a run that did not fail counts.
uint64_t& unfailed(const record::RunRecord& record, const Session& session, Tally& tally) {
  if (session.schedule->failure == name_of(record.outcome)) return tally.same;
  return record.outcome == OutcomeKind::kStepBudget ? tally.too_long : tally.passed;
}

// Makes what was recorded the failure of the record, if it is among what is wrong with it.
void count(record::RunRecord& record, const Session& session, Tally& tally) {
  const Schedule& schedule = *session.schedule;
  const bool again = fails_again(record, schedule, session.same_build);
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
  if (tally.near_tries > 0 || tally.continued_failed) return 1;
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
  if (tally.near_tries > 0)
    text += fmt::format("Near it: {} again, in schedule {} of those tried\n", schedule.failure,
                        report::grouped(tally.near_tries));
  else if (tally.diverged > 0 && session.on_divergence == OnDivergence::kSearch)
    text += "Near it: no schedule that was tried fails so\n";
  if (!tally.continued.empty()) text += "Continued past that place: " + tally.continued + "\n";
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
  if (tally.near_tries > 0) json["found_near_after"] = tally.near_tries;
  if (!tally.continued.empty()) json["continued"] = tally.continued;
  if (tally.diverged > 0) json["divergence"] = divergence_text(last, schedule, symbolizer);
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// The report of a replay that failed: the stored one if it is beside the schedule and the failure is
// the same, otherwise one of this very run.
std::string report_of(const record::RunRecord& record, const Tally& tally, const Session& session,
                      symbolize::Symbolizer& symbolizer) {
  if (session.quiet || (!explain::fails(record) && !session.print)) return {};
  const report::TextOptions options = text_options(STDOUT_FILENO, session.color);
  const std::string beside = std::filesystem::path(session.path).replace_filename("report.json");
  if (const Expected<std::string> json = os::read_file(beside, 2);
      json && !session.print && tally.same > 0 && session.same_build)
    if (const Expected<report::Finding> stored = report::finding_from_json_text(*json))
      return report::finding_text(*stored, options) + "\n";
  explain::FindingContext context;
  context.policy = session.schedule->policy;
  context.schedules_before = session.schedule->key.index;
  context.program = session.setup.target.program;
  context.argv = session.setup.target.command;
  std::error_code error;
  context.directory = std::filesystem::current_path(error);
  context.commands = explain::commands_for(session.path);
  const report::Finding finding = explain::diagnose(record, &record, symbolizer, context);
  if (session.print) return report::event_log(finding, session.until) + "\n";
  return report::finding_text(finding, options) + "\n";
}

// "deadlock again", "another failure (signal)", "the program passed"
std::string end_text(record::RunRecord& record, const Session& session) {
  if (fails_again(record, *session.schedule, session.same_build)) return session.schedule->failure + " again";
  if (!explain::fails(record)) return "the program passed";
  record.failure = explain::failures_of(record).back();
  return fmt::format("another failure ({})", explain::kind_of(record));
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
  std::optional<record::RunRecord> continued;
  if (tally.diverged > 0 && session.on_divergence == OnDivergence::kContinue) {
    Expected<record::RunRecord> record =
        explore::follow_loosely(session.schedule, session.setup, workers, claims.cores()[0], interrupt.fd());
    if (interrupt.taken() != 0) return 128 + interrupt.taken();
    if (!record) return complain(record.error());
    tally.continued = end_text(*record, session);
    tally.continued_failed = explain::fails(*record);
    continued = std::move(*record);
  }
  std::optional<explore::Nearby> nearby;
  if (tally.diverged > 0 && session.on_divergence == OnDivergence::kSearch) {
    Expected<std::optional<explore::Nearby>> found = explore::search_near(
        session.schedule, session.setup, workers, claims.cores()[0], interrupt.fd(),
        [&](record::RunRecord& record) { return fails_again(record, *session.schedule, session.same_build); });
    if (interrupt.taken() != 0) return 128 + interrupt.taken();
    if (!found) return complain(found.error());
    nearby = std::move(*found);
    tally.near_tries = nearby ? nearby->tries : 0;
  }
  symbolize::Symbolizer symbolizer;
  const record::RunRecord& shown = nearby                                          ? nearby->record
                                   : continued                                     ? *continued
                                   : explain::fails(ends.front()) || session.print ? ends.front()
                                                                                   : ends.back();
  const std::string text = session.json ? result_json(tally, *session.schedule, ends.back(), symbolizer)
                                        : report_of(shown, tally, session, symbolizer) +
                                              result_text(tally, session, ends.back(), symbolizer);
  show(text);
  return exit_code_of(tally);
}

DebugPlan debug_plan(const Session& session) {
  DebugPlan plan{.takes_init = session.trusted, .until = session.until, .more = session.gdb_words};
  if (session.same_build) plan.report = std::filesystem::path(session.path).replace_filename("report.json");
  return plan;
}

// As gdb spells it.
Words with_long_names(Words words) {
  for (std::string& word : words) {
    if (word == "--") break;
    if (word == "-ex") word = "--gdb-command";
  }
  return words;
}

}  // namespace

int replay_verb(const Words& given) {
  const Words words = with_long_names(given);
  Expected<Arguments> arguments = read_arguments(kReplay, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, replay_help)) return *code;
  if (const std::optional<int> code = replay_of_lanes(*arguments)) return *code;
  Expected<Session> session = prepare(std::move(*arguments), words);
  if (!session) return complain(session.error());
  if (Status entered = enter_folder(*session); !entered) return complain(entered.error());
  os::begin_below_keeper();
  Expected<os::Guard> guard = os::Guard::start();
  if (!guard) return complain(guard.error());
  if (session->gdb) return replay_in_gdb(session->schedule, session->setup, *guard, debug_plan(*session));
  Expected<os::StandardInput> input = input_of(*session);
  if (!input) return complain(input.error());
  session->setup.input = &*input;
  return replay_all(*session, *guard);
}

}  // namespace snarl::cli
