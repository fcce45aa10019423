#include "coseq/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/configuration.h"
#include "cli/installation.h"
#include "cli/terminal.h"
#include "cli/values.h"
#include "coseq/build.h"
#include "coseq/device_options.h"
#include "coseq/host/campaign.h"
#include "coseq/host/exhaustive.h"
#include "coseq/simt_report.h"
#include "coseq/twin_replay.h"
#include "report/formats/finding_json.h"
#include "report/text/finding.h"

namespace snarl::coseq {
namespace {

namespace fs = std::filesystem;

struct Options {
  Wanted wanted;
  Sources sources;
  std::vector<std::string> arguments;  // of the program
  std::string emit;
  bool json = false;
  std::optional<uint32_t> preemptions;
  std::optional<uint64_t> replay;
  cli::ColorMode color = cli::ColorMode::kAuto;
  DeviceWanted device;
  std::optional<uint32_t> simt;  // warps
};

bool is_source(const std::string& word) {
  const std::string suffix = fs::path(word).extension();
  for (const char* known : {".c", ".bc", ".ll", ".cc", ".cpp", ".cxx", ".C"})
    if (suffix == known) return word[0] != '-';
  return false;
}

Expected<std::vector<std::string>> read_policies(const cli::Arguments& arguments) {
  std::vector<std::string> policies;
  for (const std::string& text : arguments.all("policy")) {
    Expected<Chosen> chosen = parse_strategy(text);
    if (!chosen) return chosen.error();
    policies.push_back(chosen->text);
  }
  return policies;
}

Status read_numbers(const cli::Arguments& arguments, Options& options) {
  Expected<uint64_t> budget = cli::parse_count(arguments.label("steps"), arguments.get("steps"), 1, 1'000'000'000);
  if (!budget) return budget.error();
  options.wanted.budget = *budget;
  if (arguments.has("schedules")) {
    Expected<uint64_t> count =
        cli::parse_count(arguments.label("schedules"), arguments.get("schedules"), 1, uint64_t{1} << 50);
    if (!count) return count.error();
    options.wanted.schedules = *count;
    options.wanted.seconds = 1e9;
  }
  if (!arguments.has("schedules") || arguments.given("for") != nullptr) {
    Expected<double> seconds = cli::parse_duration(arguments.label("for"), arguments.get("for"));
    if (!seconds) return seconds.error();
    options.wanted.seconds = *seconds;
  }
  options.wanted.seed = cli::random_seed();
  if (arguments.given("seed") != nullptr) {
    Expected<uint64_t> seed = cli::parse_seed(arguments.label("seed"), arguments.get("seed"));
    if (!seed) return seed.error();
    options.wanted.seed = *seed;
  }
  if (arguments.has("preemptions")) {
    Expected<uint64_t> most =
        cli::parse_count(arguments.label("preemptions"), arguments.get("preemptions"), 0, 1'000'000);
    if (!most) return most.error();
    options.preemptions = static_cast<uint32_t>(*most);
  }
  if (arguments.has("simt")) {
    Expected<uint64_t> warps = cli::parse_count(arguments.label("simt"), arguments.get("simt"), 1, 100'000);
    if (!warps) return warps.error();
    options.simt = static_cast<uint32_t>(*warps);
    options.sources.counts_cost = true;
  }
  if (arguments.has("replay")) {
    Expected<uint64_t> index =
        cli::parse_count(arguments.label("replay"), arguments.get("replay"), 0, uint64_t{1} << 50);
    if (!index) return index.error();
    options.replay = *index;
  }
  return Done{};
}

Expected<Options> read_options(const cli::Arguments& arguments) {
  Options options;
  std::vector<std::string> words = arguments.operands;
  words.insert(words.end(), arguments.command.begin(), arguments.command.end());
  for (const std::string& word : words)
    (is_source(word) ? options.sources.files : options.sources.options).push_back(word);
  if (options.sources.files.empty())
    return Error{"there is no source file", "snarl lanes -- FILE.c: the compiler's options may stand beside it", 2};
  for (const std::string& file : options.sources.files)
    if (access(file.c_str(), R_OK) != 0) return Error{file + " can't be read", "is its name right?", 2};
  Expected<std::vector<std::string>> policies = read_policies(arguments);
  if (!policies) return policies.error();
  options.wanted.policies = *policies;
  if (Status read = read_numbers(arguments, options); !read) return read.error();
  options.wanted.keep_going = arguments.has("keep-going");
  Expected<size_t> share = cli::parse_choice("--shared-prefix", arguments.get("shared-prefix"), "auto|yes|no");
  if (!share) return share.error();
  options.wanted.share = static_cast<SharePrefix>(*share);
  options.arguments = {fs::path(options.sources.files[0]).stem()};
  std::istringstream given(arguments.get("args"));
  for (std::string word; given >> word;) options.arguments.push_back(word);
  options.emit = arguments.get("emit");
  options.sources.twin = arguments.get("native-twin");
  options.json = arguments.has("json");
  if (Status read = read_device(arguments, options.wanted.policies, options.device); !read) return read.error();
  Expected<size_t> color = cli::parse_choice("--color", arguments.get("color"), "auto|always|never");
  if (!color) return color.error();
  options.color = static_cast<cli::ColorMode>(*color);
  return options;
}

// A folder that is removed again.
class Scratch {
 public:
  Scratch() {
    const char* tmp = std::getenv("TMPDIR");
    std::string name = std::string(tmp != nullptr && *tmp == '/' ? tmp : "/tmp") + "/snarl-lanes-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Scratch() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Session {
 public:
  Session(const Options& options, Lane& lane, const std::string& bodies)
      : options_(options),
        lane_(lane),
        campaign_(lane, options.wanted),
        runner_(lane, options.wanted.budget, bodies, options.device) {
    if (options.device.kind != DeviceKind::kNone) campaign_.run_in_batches(runner_);
  }

  int run() {
    if (options_.replay) return replay();
    if (options_.preemptions) return exhaust();
    return explore();
  }

 private:
  void complete(report::Finding& finding) const {
    finding.argv = options_.arguments;
    finding.program = options_.sources.files[0];
  }

  void show(report::Finding finding, LaneCampaign& campaign) {
    complete(finding);
    if (!options_.replay && !options_.preemptions) finding.commands = {{"Replay", replay_command(finding)}};
    if (!options_.sources.twin.empty()) replay_in_twin(finding, campaign);
    if (options_.json && !options_.replay) return;
    cli::show(options_.json ? report::finding_json_text(finding)
                            : report::finding_text(finding, cli::text_options(STDOUT_FILENO, options_.color)));
  }

  // The same switches in the native twin: what it says stands below the report.
  void replay_in_twin(report::Finding& finding, LaneCampaign& campaign) {
    const std::string& twin = options_.sources.twin;
    const std::string path = fmt::format("{}-{}.snarl", twin, finding.id.empty() ? "0000" : finding.id);
    std::ofstream file(path);
    file << schedule_text(finding, campaign.switches(), twin, options_.arguments);
    file.close();
    if (!file) return finding.commands.push_back({"Native", "can't write " + path});
    const Natively natively = replay_natively(path, twin, options_.arguments);
    std::string command = fmt::format("snarl replay {} -- {}", path, twin);
    for (size_t i = 1; i < options_.arguments.size(); ++i) command += " " + options_.arguments[i];
    finding.commands.push_back(
        {"Native", fmt::format("{}  # {}", command, words_for(natively, is_failure_of(finding)))});
  }

  std::string replay_command(const report::Finding& finding) const {
    std::string text = fmt::format("snarl lanes --seed 0x{:x}", finding.key.seed);
    text += fmt::format(" --replay {}", finding.key.index);
    for (const std::string& policy : options_.wanted.policies) text += " -p " + policy;
    text += " --";
    for (const std::string& word : options_.sources.files) text += " " + word;
    for (const std::string& word : options_.sources.options) text += " " + word;
    return text;
  }

  int replay() {
    // What a schedule is planned with was learnt from those before it.
    Wanted before = options_.wanted;
    before.schedules = *options_.replay + 1;
    before.seconds = 1e9;
    before.keep_going = true;
    LaneCampaign campaign(lane_, before);
    if (!campaign.explore([](const report::Finding&) {}))
      return cli::complain({campaign.error(), "use snarl run for it", 4});
    report::Finding finding = campaign.replay(*options_.replay);
    const bool failed = is_failure_of(finding);
    show(std::move(finding), campaign);
    return failed ? 1 : 0;
  }

  void put_summary(report::Summary summary) const {
    summary.version = SNARL_VERSION;
    summary.command = options_.sources.files;
    cli::show(options_.json
                  ? report::summary_json_text(summary)
                  : without_numbers(report::summary_text(summary, cli::text_options(STDOUT_FILENO, options_.color))));
  }

  // A finding of a lane has no folder: the command below its report repeats it.
  static std::string without_numbers(std::string text) {
    for (size_t at = 0; (at = text.find("   snarl replay ", at)) != text.npos;)
      text.erase(at, text.find('\n', at) - at);
    return text;
  }

  int explore() {
    const bool goes = campaign_.explore([this](const report::Finding& finding) { show(finding, campaign_); });
    if (campaign_.batch_error()) return cli::complain(*campaign_.batch_error());
    if (!goes) return cli::complain({campaign_.error(), "use snarl run for it", 4});
    report::Summary summary;
    campaign_.summarize(summary);
    const bool nothing = summary.threads < 2 && summary.findings.empty();
    if (nothing)
      return cli::complain({"nothing to test: the program made no thread", "a lane explores orders of threads", 4});
    if (summary.schedules > 0 && summary.too_long == summary.schedules)
      return cli::complain(
          {fmt::format("nothing was tested: each schedule took more than {} steps", summary.step_budget),
           "raise the limit (--steps), or give the program less to do", 4});
    const bool failed = summary.failing_schedules > 0;
    const uint64_t unconfirmed = summary.unconfirmed;
    put_summary(std::move(summary));
    if (runner_.lanes() > 0) put_device_count(runner_.count(), campaign_.disagreements(), options_.json);
    if (!failed && unconfirmed > 0)
      return cli::complain({fmt::format("{} failures did not come again with the same schedule: lanes can't judge this "
                                        "program",
                                        unconfirmed),
                            "does it read memory before anything was written to it? Use snarl run for it", 4});
    return failed ? 1 : 0;
  }

  int exhaust() {
    Scheduler scheduler(lane_, options_.wanted.budget);
    Exhaustive walk(lane_, scheduler, *options_.preemptions, options_.wanted.budget, now() + options_.wanted.seconds);
    const Exhausted result = walk.explore();
    const bool failed = result.failed && is_failure(result.end, 1);
    if (failed) {
      report::Finding finding = campaign_.replay_path(result.path);
      show(std::move(finding), campaign_);
    }
    cli::show(options_.json ? json_of(result) : text_of(result));
    if (result.failed) return failed ? 1 : 4;
    return result.complete ? 0 : 4;
  }

  std::string text_of(const Exhausted& result) const {
    const std::string many =
        fmt::format("{:.0f} schedules with at most {} preemptions", result.schedules, *options_.preemptions);
    const std::string seen =
        fmt::format("  {} states, {} threads, {} steps at most{}\n", result.states, result.threads, result.steps,
                    result.has_loops ? "; loops that come back to a state are taken once" : "");
    if (result.failed && !is_failure(result.end, 1))
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
  DeviceRunner runner_;
};

}  // namespace

int lanes_main(const std::vector<std::string>& words) {
  Expected<cli::Arguments> arguments = cli::read_arguments(cli::kLanes, words);
  if (!arguments) return cli::complain(arguments.error());
  const std::string server = fs::path(cli::own_path()).parent_path() / "snarl-lanes-device";
  if (arguments->has("devices")) return list_devices(server);
  Expected<Options> options = read_options(*arguments);
  if (!options) return cli::complain(options.error());
  const Scratch scratch;
  if (scratch.path().empty()) return cli::complain({"no folder for temporary files can be made", "set TMPDIR"});
  options->sources.scratch = scratch.path();
  options->sources.models =
      (fs::path(cli::own_path()).parent_path() / "../lib/snarl/lanes/coseq/models").lexically_normal();
  options->device.folder = fs::path(options->sources.models).parent_path().parent_path();
  options->device.scratch = options->sources.scratch;
  options->device.server = server;
  options->device.keep = options->emit;
  std::string bodies;
  Expected<std::string> library =
      build_lane(options->sources, options->emit, options->device.kind == DeviceKind::kNone ? nullptr : &bodies);
  if (!library) return cli::complain(library.error());
  Expected<std::unique_ptr<Lane>> lane = Lane::open(*library, options->arguments);
  if (!lane) return cli::complain(lane.error());
  if (options->simt)
    return report_simt(**lane, {options->wanted.seed, options->wanted.budget, *options->simt, options->json});
  return Session(*options, **lane, bodies).run();
}

}  // namespace snarl::coseq
