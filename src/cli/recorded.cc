#include "cli/recorded.h"

#include <fmt/format.h>

#include <filesystem>

#include "cli/configuration.h"
#include "cli/environment_changes.h"
#include "cli/installation.h"
#include "cli/lanes_replay.h"
#include "cli/print_config.h"
#include "cli/replay_source.h"
#include "cli/run_options.h"
#include "cli/state_key.h"
#include "cli/trust.h"
#include "cli/values.h"
#include "os/keeper.h"
#include "schedule/misuse.h"

namespace snarl::cli {
namespace {

Expected<ReplaySource> source_of(const Arguments& arguments) {
  if (arguments.operands.size() > 1)
    return Error{"more than one schedule to replay", "name one folder, file or number", 2};
  return find_schedule(arguments.operands.empty() ? "" : arguments.operands[0], plain_path(arguments.get("output")));
}

// A finding that is ours is replayed where it was recorded: its command may name files there. One that is taken for
// ours, here.
Expected<RecordedRun> with_evidence(const Arguments& arguments, const ReplaySource& source, Evidence evidence) {
  RecordedRun session;
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

Expected<RecordedRun> prepare(const Arguments& arguments, Expected<ReplaySource> source, Evidence evidence) {
  Expected<RecordedRun> begun = with_evidence(arguments, *source, std::move(evidence));
  if (!begun) return begun;
  RecordedRun session = std::move(*begun);
  Expected<explore::Target> target = replay_target(source->schedule, arguments.command, search_path());
  if (!target) return target.error();
  Expected<std::string> runtime = find_runtime();
  if (!runtime) return runtime.error();
  const auto label = [&](const char* name) { return arguments.label(name); };
  Expected<double> timeout = parse_duration(label("timeout"), arguments.get("timeout"));
  if (!timeout) return timeout.error();
  RunSettings settings = source->schedule.settings;
  const MisuseKind failure = misuse_kind_named(source->schedule.failure.c_str());
  settings.races = failure == MisuseKind::kRace || failure == MisuseKind::kUseAfterFree;
  settings.weak_races = settings.races;
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
  session.color = *color;
  session.json = arguments.has("json");
  return session;
}

// What came with a finding that is not known to be ours chooses nothing.
Expected<Arguments> without_config(Verb verb, const Arguments& arguments, const Words& words) {
  fmt::print(stderr, "snarl: ignoring {}, which may have come with the finding (--config FILE takes it all the same)\n",
             printable_line(arguments.config_file));
  Words again = {"--config="};
  again.insert(again.end(), words.begin(), words.end());
  return read_arguments(verb, again);
}

}  // namespace

Expected<RecordedRun> take_recorded(Verb verb, Arguments& arguments, const Words& words) {
  Expected<ReplaySource> source = source_of(arguments);
  if (!source) return source.error();
  Expected<Evidence> evidence = examine(*source, key_path());
  if (!evidence) return evidence.error();
  if (!evidence->folder && !arguments.has("trust") && has_config_around(arguments, source->path)) {
    Expected<Arguments> plain = without_config(verb, arguments, words);
    if (!plain) return plain.error();
    arguments = std::move(*plain);
  }
  return prepare(arguments, std::move(source), std::move(*evidence));
}

// PWD says the same, for programs that go by it.
Status enter_folder(RecordedRun& session) {
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

// What the recorded run read is part of why it failed; ours counts where nothing was kept.
Expected<os::StandardInput> input_of(const RecordedRun& session) {
  return session.input ? os::StandardInput::from_text(*session.input) : prepare_input();
}

int with_recorded(Verb verb, const Words& words, std::string (*help)(),
                  int (*work)(RecordedRun& run, os::Guard& guard, double seconds)) {
  Expected<Arguments> arguments = read_arguments(verb, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, help)) return *code;
  if (const std::optional<int> code = replay_of_lanes(*arguments)) return *code;
  Expected<double> seconds = parse_duration(arguments->label("after-finding"), arguments->get("after-finding"));
  if (!seconds) return complain(seconds.error());
  Expected<RecordedRun> run = take_recorded(verb, *arguments, words);
  if (!run) return complain(run.error());
  if (Status entered = enter_folder(*run); !entered) return complain(entered.error());
  os::begin_below_keeper();
  Expected<os::Guard> guard = os::Guard::start();
  if (!guard) return complain(guard.error());
  Expected<os::StandardInput> input = input_of(*run);
  if (!input) return complain(input.error());
  run->setup.input = &*input;
  return work(*run, *guard, *seconds);
}

}  // namespace snarl::cli
