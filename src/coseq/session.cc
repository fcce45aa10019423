#include "coseq/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/shell_word.h"
#include "cli/bisect.h"
#include "cli/configuration.h"
#include "cli/installation.h"
#include "cli/lanes_replay.h"
#include "cli/terminal.h"
#include "cli/trust.h"
#include "coseq/build.h"
#include "coseq/device_options.h"
#include "coseq/host/exhaustive.h"
#include "coseq/host/explain.h"
#include "coseq/results.h"
#include "coseq/scratch.h"
#include "coseq/session_options.h"
#include "coseq/simt_report.h"
#include "coseq/twin_replay.h"
#include "report/formats/finding_json.h"
#include "report/text/finding.h"

namespace snarl::coseq {
namespace {

namespace fs = std::filesystem;

class Session {
 public:
  Session(const Options& options, Lane& lane, const std::string& bodies)
      : options_(options),
        lane_(lane),
        campaign_(lane, options.wanted),
        device_(lane, options.wanted.budget, bodies, options.device) {
    if (options.device.kind != DeviceKind::kNone) campaign_.run_in_batches(device_);
  }

  int run() {
    if (options_.replay) return replay();
    Expected<std::unique_ptr<Results>> results = Results::begin(
        options_.outputs, options_.sources.files, options_.preemptions ? Shows::kNothing : Shows::kReport);
    if (!results) return cli::complain(results.error());
    results_ = std::move(*results);
    return options_.preemptions ? exhaust() : explore();
  }

 private:
  void complete(report::Finding& finding) {
    finding.argv = options_.arguments;
    finding.program = options_.sources.files[0];
    if (!options_.replay) finding.commands = {{"Replay", command_text(finding)}};
    if (!options_.sources.twin.empty()) replay_in_twin(finding);
  }

  // The words that repeat it.
  std::vector<std::string> command(const report::Finding& finding) const {
    std::vector<std::string> words = {"snarl", "lanes"};
    const auto add = [&](const char* name, const std::string& value) { words.insert(words.end(), {name, value}); };
    if (options_.preemptions) {
      add("--preemptions", std::to_string(*options_.preemptions));
      add("--output", "");
    } else {
      add("--seed", fmt::format("0x{:x}", finding.key.seed));
      add("--replay", fmt::format("{}:{}:{}:{}", finding.key.index, finding.key.profile.threads,
                                  finding.key.profile.steps, finding.key.profile.epoch));
      for (const std::string& policy : options_.wanted.policies) add("-p", policy);
    }
    words.insert(words.end(), options_.repeated.begin(), options_.repeated.end());
    words.push_back("--");
    words.insert(words.end(), options_.sources.files.begin(), options_.sources.files.end());
    words.insert(words.end(), options_.sources.options.begin(), options_.sources.options.end());
    return words;
  }
  std::string command_text(const report::Finding& finding) const {
    std::string text;
    for (const std::string& word : command(finding)) text += (text.empty() ? "" : " ") + shell_word(word);
    return text;
  }

  report::Evidence evidence_of(const report::Finding& finding) const {
    report::Evidence evidence;
    Schedule schedule = lane_schedule(finding, campaign_.switches());
    schedule.program = options_.sources.files[0];
    schedule.argv = command(finding);
    schedule.policy = cli::kOfLanes;
    evidence.schedule = write_schedule(schedule);
    evidence.in = options_.inputs.standard;
    evidence.out = lane_.output();
    std::error_code error;
    evidence.replay_script = fmt::format("#!/bin/sh\n# Replays this finding.\ncd {} || exit 125\nexec {}\n",
                                         shell_word(fs::current_path(error)), command_text(finding));
    evidence.mark = cli::mark_of(evidence.schedule, evidence.in);
    return evidence;
  }

  report::Finding keep(report::Finding finding) {
    complete(finding);
    finding.folder = folders_[finding.id] = results_->folder_of(finding);
    if (Status kept = results_->add(finding, evidence_of(finding)); !kept) cli::complain(kept.error());
    return finding;
  }

  // The same switches in the native twin: what it says stands below the report.
  void replay_in_twin(report::Finding& finding) {
    const std::string& twin = options_.sources.twin;
    const std::string path = fmt::format("{}-{}.snarl", twin, finding.id.empty() ? "0000" : finding.id);
    std::ofstream file(path);
    file << twin_schedule(finding, campaign_.switches(), twin, options_.arguments);
    file.close();
    if (!file) return finding.commands.push_back({"Native", "can't write " + path});
    const Natively natively = replay_natively(path, twin, options_.arguments);
    std::string command = fmt::format("snarl replay {} -- {}", path, twin);
    for (size_t i = 1; i < options_.arguments.size(); ++i) command += " " + options_.arguments[i];
    finding.commands.push_back(
        {"Native", fmt::format("{}  # {}", command, words_for(natively, is_failure_of(finding)))});
  }

  int replay() {
    if (!campaign_.learn(*options_.replay)) return cli::complain({campaign_.error(), "use snarl run for it", 4});
    report::Finding finding = campaign_.replay(options_.replay->index);
    complete(finding);
    show(finding);
    return is_failure_of(finding) ? 1 : 0;
  }

  void show(const report::Finding& finding) const {
    cli::show(options_.outputs.json
                  ? report::finding_json_text(finding)
                  : report::finding_text(finding, cli::text_options(STDOUT_FILENO, options_.outputs.color)));
  }

  bool may_continue(const report::Progress& progress) {
    results_->progress(progress);
    return !results_->is_interrupted();
  }

  int explore() {
    results_->tell_seed(options_.wanted.seed);
    const bool goes = campaign_.explore([this](const report::Finding& finding) { keep(finding); },
                                        [this](const report::Progress& progress) { return may_continue(progress); });
    report::Summary summary;
    campaign_.summarize(summary);
    summary.version = SNARL_VERSION;
    summary.command = options_.sources.files;
    for (report::SummaryFinding& row : summary.findings) row.folder = folders_[row.id];
    report::Ending ending{.problem = campaign_.batch_error() ? campaign_.batch_error()
                                     : goes                  ? problem_of(summary)
                                                             : Error{campaign_.error(), "use snarl run for it", 4}};
    ending.tested = goes && (summary.threads >= 2 || !summary.findings.empty());
    ending.exit_code = ending.problem ? ending.problem->exit_code : summary.failing_schedules > 0 ? 1 : 0;
    const int code = results_->end(std::move(summary), ending);
    if (device_.lanes() > 0) put_device_count(device_.count(), campaign_.disagreements(), options_.outputs.json);
    return code;
  }

  // Why there is no verdict; nothing if there is one.
  std::optional<Error> problem_of(const report::Summary& summary) const {
    if (summary.threads < 2 && summary.findings.empty())
      return Error{"nothing to test: the program made no thread", "a lane explores orders of threads", 4};
    if (summary.schedules > 0 && summary.too_long == summary.schedules)
      return Error{fmt::format("nothing was tested: each schedule took more than {} steps", summary.step_budget),
                   "raise the limit (--steps), or give the program less to do", 4};
    if (summary.failing_schedules == 0 && summary.unconfirmed > 0)
      return Error{fmt::format("{} failures did not come again with the same schedule: lanes can't judge this program",
                               summary.unconfirmed),
                   "does it read memory before anything was written to it? Use snarl run for it", 4};
    return std::nullopt;
  }

  int exhaust() {
    Scheduler scheduler(lane_, options_.wanted.budget);
    Exhaustive walk(lane_, scheduler, *options_.preemptions, options_.wanted.budget, now() + options_.wanted.seconds);
    const Exhausted result = walk.explore();
    const bool failed = result.failed && snarl::coseq::is_failure(result.end, 1);
    report::Finding failure;
    if (failed) {
      failure = keep(campaign_.replay_path(result.path));
      show(failure);
    }
    cli::show(options_.outputs.json ? json_of(result) : text_of(result));
    report::Summary summary = summary_of(result);
    if (failed) summary.findings = {row_of(failure)};
    report::Ending ending{.exit_code = failed ? 1 : result.complete ? 0 : 4};
    if (ending.exit_code == 4) ending.problem = Error{"not all schedules were explored", "give it more time (-t)", 4};
    return results_->end(std::move(summary), ending);
  }

  report::Summary summary_of(const Exhausted& result) const {
    report::Summary summary;
    campaign_.summarize(summary);
    summary.version = SNARL_VERSION;
    summary.command = options_.sources.files;
    summary.schedules = static_cast<uint64_t>(result.schedules);
    summary.failing_schedules = result.failed ? 1 : 0;
    summary.threads = result.threads;
    summary.steps = summary.points_seen = result.steps;
    summary.policy.clear();
    summary.bound.clear();
    return summary;
  }

  std::string text_of(const Exhausted& result) const {
    const std::string many =
        fmt::format("{:.0f} schedules with at most {} preemptions", result.schedules, *options_.preemptions);
    const std::string seen =
        fmt::format("  {} states, {} threads, {} steps at most{}\n", result.states, result.threads, result.steps,
                    result.has_loops ? "; loops that come back to a state are taken once" : "");
    if (result.failed && !snarl::coseq::is_failure(result.end, 1))
      return fmt::format("Not all schedules were explored: one reaches a limit of lanes (time, memory or threads)\n{}",
                         seen);
    if (result.failed)
      return fmt::format("A failure within the schedules with at most {} preemptions\n{}", *options_.preemptions, seen);
    if (!result.complete)
      return fmt::format("Not all schedules were explored: {} were, and none fails\n{}", many, seen);
    return fmt::format("All {} explored: none fails\n{}", many, seen);
  }

  std::string json_of(const Exhausted& result) const {
    return fmt::format(
        "{{\"schema\": \"snarl.exhaustive/1\", \"complete\": {}, \"failed\": {}, \"schedules\": {:.0f}, "
        "\"preemptions\": {}, "
        "\"states\": {}, \"loops\": {}, \"threads\": {}, \"steps\": {}}}\n",
        result.complete, result.failed, result.schedules, *options_.preemptions, result.states, result.has_loops,
        result.threads, result.steps);
  }

  const Options& options_;
  Lane& lane_;
  LaneCampaign campaign_;
  DeviceRunner device_;
  std::unique_ptr<Results> results_;
  std::map<std::string, std::string> folders_;  // of findings, by id
};

std::string device_server() { return fs::path(cli::own_path()).parent_path() / "snarl-lanes-device"; }

int lanes_with(const cli::Arguments& arguments) {
  Expected<Options> options = read_options(arguments);
  if (!options) return cli::complain(options.error());
  const Scratch scratch;
  if (scratch.path().empty()) return cli::complain({"no folder for temporary files can be made", "set TMPDIR"});
  options->sources.scratch = scratch.path();
  options->sources.models =
      (fs::path(cli::own_path()).parent_path() / "../lib/snarl/lanes/coseq/models").lexically_normal();
  options->device.folder = fs::path(options->sources.models).parent_path().parent_path();
  options->device.scratch = options->sources.scratch;
  options->device.server = device_server();
  options->device.keep = options->emit;
  std::string bodies;
  Expected<std::string> library =
      build_lane(options->sources, options->emit, options->device.kind == DeviceKind::kNone ? nullptr : &bodies);
  if (!library) return cli::complain(library.error());
  Expected<std::unique_ptr<Lane>> lane = Lane::open(*library, options->arguments, options->inputs);
  if (!lane) return cli::complain(lane.error());
  if (options->simt)
    return report_simt(**lane, {options->wanted.seed, options->wanted.budget, *options->simt, options->outputs.json});
  if (options->sources.tells) (*lane)->watch_races();
  return Session(*options, **lane, bodies).run();
}

}  // namespace

int lanes_main(const std::vector<std::string>& words) {
  Expected<cli::Arguments> arguments = cli::read_arguments(cli::kLanes, words);
  if (!arguments) return cli::complain(arguments.error());
  if (arguments->has("devices")) return list_devices(device_server());
  const int code = lanes_with(*arguments);
  return arguments->has("bisect") ? cli::bisect_code(code) : code;
}

}  // namespace snarl::coseq
