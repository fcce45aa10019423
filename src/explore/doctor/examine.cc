#include "explore/doctor/examine.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>

#include "explore/campaign/summarize.h"
#include "explore/doctor/call_names.h"
#include "explore/doctor/inspect.h"
#include "explore/doctor/observe.h"
#include "explore/execute/worker.h"
#include "explore/target/code_map.h"
#include "explore/target/elf_image.h"
#include "explore/target/loaded_libraries.h"
#include "explore/target/policy_spec.h"
#include "os/file_bytes.h"
#include "schedule/outcome.h"

namespace snarl::explore {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void add_module(const std::string& name, const std::string& path, report::Checkup& checkup) {
  const os::FileBytes file(path);
  report::ModuleFacts module{name, path, brought_by(parse_elf(file.view()))};
  if (!module.brings.empty()) checkup.modules.push_back(std::move(module));
}

// The program, and the libraries that the loader would give it.
void look_at_files(const Setup& setup, os::Guard& guard, report::Checkup& checkup) {
  const os::FileBytes file(setup.target.path);
  const ElfImage image = parse_elf(file.view());
  checkup.program = inspect_program(setup.target.path, image, file.view());
  if (file_name(setup.target.program) != file_name(setup.target.path)) checkup.program.script = setup.target.program;
  add_module(file_name(setup.target.path), setup.target.path, checkup);
  const Expected<std::vector<Library>> libraries = loaded_libraries(setup, image.interpreter, guard);
  if (!libraries) return checkup.notes.push_back("its libraries could not be listed: " + libraries.error().message);
  for (const Library& library : *libraries) {
    if (library.path.empty()) checkup.notes.push_back(library.name + " is not found by the loader");
    if (!is_system_code(library.name)) add_module(library.name, library.path, checkup);
  }
}

std::string exit_text(int code) { return fmt::format("exit code {}", code); }

std::string ending_text(const Observation& seen, double limit) {
  if (!seen.ended) return fmt::format("not ended within {:g} s", limit);
  if (WIFSIGNALED(seen.status)) return fmt::format("ended by signal {}", WTERMSIG(seen.status));
  return exit_text(WEXITSTATUS(seen.status));
}

void look_at_run(Setup setup, os::Guard& guard, int stop_fd, report::Checkup& checkup) {
  setup.environment.emplace_back("LSAN_OPTIONS=detect_leaks=0");  // it traces itself, which we do already
  const Observation seen = observe(setup, guard, setup.timeout, stop_fd);
  report::ObservedRun& run = checkup.observed;
  run.could_not = seen.could_not;
  if (!run.could_not.empty()) return;
  run.ended = ending_text(seen, setup.timeout);
  run.seconds = seen.seconds;
  run.threads = seen.threads;
  run.more_effects = seen.more_effects;
  for (const Observation::Effect& one : seen.effects)
    run.effects.push_back({one.effect.kind, one.effect.what, one.times});
  for (const Observation::InlineCall& one : seen.inline_calls)
    run.inline_calls.push_back({one.module, call_name(one.number), one.times});
}

Expected<record::RunRecord> run_controlled(const Setup& setup, os::Guard& guard, int cpu, int stop_fd) {
  const Mode mode = setup.reset == wire::Reset::kFork ? Mode::kFork : Mode::kExec;
  Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard, mode, cpu);
  if (!worker) return worker.error();
  Expected<PolicySpec> policy = parse_policy("random");
  if (!policy) return policy.error();
  RunOrder order(setup.settings);
  order.key.policy = *policy;
  return run_to_end(**worker, std::move(order), stop_fd);
}

void say(report::Checkup& checkup, bool testable, const std::string& verdict, const std::string& hint = {}) {
  checkup.testable = testable;
  checkup.verdict = (testable ? "snarl can run this program: " : "snarl can't test this program: ") + verdict;
  checkup.hint = hint;
}

bool does(const report::Checkup& checkup, std::string_view kind) {
  return std::ranges::any_of(checkup.observed.effects, [=](const report::CheckupEffect& e) { return e.kind == kind; });
}

void judge(const Setup& setup, const record::RunRecord& record, report::Checkup& checkup) {
  const bool too_long = record.outcome == OutcomeKind::kTimeout;
  const bool ended_alone = checkup.observed.ended.starts_with("exit") || checkup.observed.ended.starts_with("ended");
  if (record.outcome == OutcomeKind::kRefused) return say(checkup, false, record.message);
  if (too_long && !ended_alone)
    return say(checkup, false, fmt::format("it does not end within {:g} s, and each schedule must", setup.timeout),
               "give it arguments or input that let it end by itself, or more time with --timeout");
  if (record.created < 2)
    return say(checkup, false, "it used one thread",
               does(checkup, "runs")
                   ? "it runs other programs, which are not controlled: name the one that has the threads"
                   : "give it arguments or input that make it start threads");
  const std::string threads = fmt::format("{} threads", record.created);
  if (too_long)
    return say(checkup, true, fmt::format("{}, but one schedule takes longer than {:g} s", threads, setup.timeout),
               "run it with a longer --timeout");
  if (record.outcome == OutcomeKind::kExit && checkup.observed.ended == exit_text(record.exit_code))
    return say(checkup, true, fmt::format("{}, but it fails without snarl too ({})", threads, checkup.observed.ended),
               "make it pass on its own first");
  if (is_failure(record.outcome))
    return say(checkup, true,
               fmt::format("{}, and the first schedule already failed ({})", threads, name_of(record.outcome)),
               "snarl run shows why");
  say(checkup, true, fmt::format("{}, {} steps in a schedule", threads, record.steps));
}

bool has(const std::vector<std::string>& list, const char* name) { return std::ranges::find(list, name) != list.end(); }

void add_notes(const Setup& setup, const record::RunRecord& record, report::Checkup& checkup) {
  const auto note = [&](const std::string& text) { checkup.notes.push_back(text); };
  if (!checkup.program.symbols) note("without symbols a report shows addresses instead of functions; build it with -g");
  if (has(checkup.program.sanitizers, "thread"))
    note("ThreadSanitizer is not supported under snarl: build it without, or don't rely on its reports");
  if (!record.repeatable)
    note(
        "a thread waited or computed where no call is intercepted, and the watchdog took its turn: such a schedule may "
        "not repeat");
  if (does(checkup, "writes") || does(checkup, "deletes") || does(checkup, "renames") || does(checkup, "makes"))
    note("schedules that run at the same time write the same files: snarl run -j 1 if that disturbs it");
  if (does(checkup, "starts")) note("the processes that it starts are not controlled");
  if (does(checkup, "connects to") || does(checkup, "listens at") || does(checkup, "sends to"))
    note("what comes over a socket from another process is not part of a schedule: such a run may not repeat");
  if (setup.reset == wire::Reset::kExec) note("give --reset exec to snarl run");
}

}  // namespace

report::Checkup examine_refused(const std::string& path, const Error& why) {
  report::Checkup checkup;
  const os::FileBytes file(path);
  const ElfImage image = parse_elf(file.view());
  checkup.program = inspect_program(path, image, file.view());
  say(checkup, false, why.message, why.hint);
  return checkup;
}

report::Checkup examine(const Setup& given, os::Guard& guard, int cpu, int stop_fd) {
  report::Checkup checkup;
  Setup setup = given;
  look_at_files(setup, guard, checkup);
  look_at_run(setup, guard, stop_fd, checkup);
  checkup.switching = switching_of(setup);
  checkup.reset = reset_of(setup);
  Expected<record::RunRecord> record = run_controlled(setup, guard, cpu, stop_fd);
  if (!record && setup.reset == wire::Reset::kFork) {
    checkup.reset = {"exec", "no fork server: " + record.error().message};
    setup.reset = wire::Reset::kExec;
    record = run_controlled(setup, guard, cpu, stop_fd);
  }
  if (!record) {
    say(checkup, false, record.error().message, record.error().hint);
    return checkup;
  }
  checkup.controlled = {name_of(record->outcome), record->seconds, record->created, record->steps, record->repeatable};
  judge(setup, *record, checkup);
  if (checkup.testable) add_notes(setup, *record, checkup);
  return checkup;
}

}  // namespace snarl::explore
