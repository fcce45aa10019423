#include "cli/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/fails_again.h"
#include "explain/signature.h"
#include "explore/campaign/confirm.h"
#include "explore/execute/replay.h"
#include "explore/target/policy_spec.h"
#include "os/read_file.h"
#include "os/system.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

constexpr explore::NearbyLimit kNear = {.tries = 50, .seconds = 2};  // for each schedule that does not fit

std::string base_name(const std::string& path) { return fs::path(path).filename().string(); }

explore::Setup setup_for(const Schedule& schedule, explore::Setup setup) {
  RunSettings settings = schedule.settings;
  settings.step_budget = setup.settings.step_budget;
  settings.patience = setup.settings.patience;
  settings.misuse = setup.settings.misuse;
  setup.settings = settings;
  setup.functions = schedule.functions;
  setup.unpatched = schedule.unpatched;
  setup.expectations = schedule.expectations;
  return setup;
}

class Corpus {
 public:
  Corpus(const explore::Setup& setup, explore::Executors& executors, int cpu, int stop_fd)
      : setup_(setup), executors_(executors), cpu_(cpu), stop_(stop_fd) {}

  // The failing run, if the schedule fails in the same way.
  Expected<std::optional<explore::FailedRun>> try_one(const Schedule& schedule) {
    const auto shared = std::make_shared<const Schedule>(schedule);
    const explore::Setup setup = setup_for(schedule, setup_);
    const bool same_build = setup.target.build_id == schedule.build_id;
    const auto again = [&](record::RunRecord& record) { return fails_again(record, schedule, same_build); };
    Expected<record::RunRecord> record = explore::replay(shared, setup, executors_, cpu_, stop_);
    if (!record) return record.error();
    ++runs_;
    if (again(*record)) return std::optional(failed_run(std::move(*record), schedule, setup));
    if (record->outcome != OutcomeKind::kDivergence) return std::optional<explore::FailedRun>();
    Expected<std::optional<explore::Nearby>> near =
        explore::search_near(shared, setup, executors_, cpu_, stop_, again, kNear);
    if (!near) return near.error();
    runs_ += *near ? (*near)->tries : kNear.tries;
    if (!*near) return std::optional<explore::FailedRun>();
    return std::optional(failed_run(std::move((*near)->record), schedule, setup));
  }

  uint64_t runs() const { return runs_; }

 private:
  // Confirmed as any failure, and told under the policy, seed and index of the schedule.
  explore::FailedRun failed_run(record::RunRecord record, const Schedule& schedule, const explore::Setup& setup) {
    explore::FailedRun failed;
    failed.signature = explain::signature_of(record);
    failed.confirmation = explore::confirm(record, setup, executors_, cpu_, stop_);
    record.key = schedule.key;
    if (const Expected<PolicySpec> policy = explore::parse_policy(schedule.policy)) record.key.policy = *policy;
    failed.record = std::move(record);
    failed.schedules_before = runs_ - 1;
    failed.seconds = os::now_seconds() - begin_;
    return failed;
  }

  const double begin_ = os::now_seconds();
  const explore::Setup& setup_;
  explore::Executors& executors_;
  int cpu_;
  explore::Stop stop_;
  uint64_t runs_ = 0;
};

}  // namespace

Expected<std::vector<Schedule>> read_corpus(const std::string& folder, const std::string& program) {
  std::error_code error;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".snarl" && at->is_regular_file(error)) paths.push_back(at->path().string());
  if (error) return Error{fmt::format("--corpus: can't read {}: {}", folder, error.message()), {}, 2};
  std::ranges::sort(paths);
  std::vector<Schedule> corpus;
  for (const std::string& path : paths) {
    Expected<std::string> text = os::read_file(path, 2);
    if (!text) return text.error();
    Expected<Schedule> schedule = parse_schedule(*text, path);
    if (!schedule) return schedule.error();
    if (base_name(schedule->program) == base_name(program)) corpus.push_back(std::move(*schedule));
  }
  return corpus;
}

Expected<CorpusRuns> run_corpus(const std::vector<Schedule>& corpus, const explore::Setup& setup,
                                explore::Executors& executors, int cpu, int stop_fd, explore::Observer& observer) {
  Corpus tries(setup, executors, cpu, stop_fd);
  CorpusRuns result;
  for (const Schedule& schedule : corpus) {
    Expected<std::optional<explore::FailedRun>> failed = tries.try_one(schedule);
    if (!failed) return failed.error();
    if (!*failed) continue;
    const auto judged = observer.on_failure(**failed);
    if (!judged) return judged.error();
    result.again += *judged == explore::Judgement::kSuppressed ? 0 : 1;
  }
  result.runs = tries.runs();
  return result;
}

}  // namespace snarl::cli
