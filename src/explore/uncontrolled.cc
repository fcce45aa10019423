#include "explore/uncontrolled.h"

#include "base/hash.h"
#include "explore/worker.h"

namespace snarl {
namespace {

constexpr int kUncontrolledRuns = 3;
constexpr int kControlledRuns = 20;
constexpr double kUncontrolledSeconds = 5, kControlledSeconds = 5;  // no further run begins after these
constexpr uint64_t kSalt = 0x616e79776179;  // "anyway": no campaign index has these draws

bool fails(Worker& worker, RunOrder order, int stop_fd) {
  const Expected<RunRecord> record = run_to_end(worker, std::move(order), stop_fd);
  return record && is_failure(record->outcome);
}

}  // namespace

// First the runs that end at once if somebody waits in vain.
bool fails_anyway(const Setup& setup, const CampaignPlan& plan, Guard& guard, int cpu, int stop_fd) {
  Expected<std::unique_ptr<Worker>> free_worker = Worker::create(setup, guard, Mode::kUncontrolled, -1);
  Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard, Mode::kFork, cpu);
  if (!free_worker || !worker) return false;
  double deadline = now_seconds() + kControlledSeconds;
  for (uint64_t i = 0; i < kControlledRuns && now_seconds() < deadline; ++i) {
    RunOrder order;
    order.seed = combine(plan.seed, kSalt);
    order.index = i;
    order.policy = plan.profilers.empty() ? plan.policies[0] : plan.profilers[0];
    if (!fails(**worker, std::move(order), stop_fd)) return false;
  }
  deadline = now_seconds() + kUncontrolledSeconds;
  for (int i = 0; i < kUncontrolledRuns && now_seconds() < deadline; ++i)
    if (!fails(**free_worker, RunOrder(), stop_fd)) return false;
  return true;
}

}  // namespace snarl
