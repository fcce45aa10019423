#include "conductor_bench.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "conduct/quick.h"
#include "policy/catalog.h"
#include "virtual/world.h"

namespace snarl {
namespace {

constexpr int kMeasurements = 20;
constexpr int kPoints = 100'000;
constexpr int kBegins = 10'000;

double cpu_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

template <typename F>
double least(int count, F&& measured) {
  double best = 1e18;
  for (int i = 0; i < kMeasurements; ++i) {
    const double begin = cpu_nanoseconds();
    measured();
    best = std::min(best, (cpu_nanoseconds() - begin) / count);
  }
  return best;
}

const policy::PolicyInfo& kPct = policy::policy_catalog()[static_cast<size_t>(policy::policy_named("pct"))];

class Bed {
 public:
  explicit Bed(const policy::PolicyInfo& policy) : run_(virtual_world::trial_run(policy, 1, 1, 3, 1000)) {}

  void begin() {
    Arena arena(memory_.data(), memory_.size());
    ++run_.key.index;
    log_.emplace(room_, count_, switches_, hash_);
    conductor_->begin(run_, *policy::policy_catalog()[run_.key.policy.policy].make(arena), arena, *log_, steps_, 0);
    conductor_->model().watch_misuse(true);
    at_ = kMainThread;
    next_.fill(0);
  }
  void spawn() { conductor_->spawn(kMainThread, false, 0); }

  void point() { ask(next_op()); }

  void yield() {
    at_ = conductor_->arrive(at_, Op{.kind = OpKind::kYield, .pc = 1}).next;
    conductor_->take(at_);
  }

  // A thread that only reads, each time something else, as far as it may; if it may not, it asks.
  Step quiet_points() {
    const Step allowed = conductor_->allowance(at_);
    conductor_->add_quiet_steps(at_, allowed);
    if (allowed == 0) ask(Op{.kind = OpKind::kRead, .object = 64u * ++read_, .value = 8, .pc = 3});
    return std::max<Step>(allowed, 1);
  }

 private:
  void ask(const Op& op) {
    if (conductor_->step_at_once(at_, op)) return;
    at_ = conductor_->arrive(at_, op).next;
    conductor_->take(at_);
  }

  Op next_op() {
    const uint64_t mutex = 4096 + 64u * at_;
    switch (next_[at_]++ % 3) {
      case 0: return Op{.kind = OpKind::kLock, .object = mutex, .pc = 1};
      case 1: return Op{.kind = OpKind::kUnlock, .object = mutex, .pc = 2};
      default: return Op{.kind = OpKind::kAfter, .after = OpKind::kUnlock, .object = mutex, .pc = 2};
    }
  }

  Run run_;
  std::vector<char> memory_ = std::vector<char>(1 << 20);
  std::vector<Decision> room_ = std::vector<Decision>(1 << 14);
  uint32_t count_ = 0;
  uint64_t switches_ = 0, hash_ = 0;
  Step steps_ = 0;
  std::optional<DecisionLog> log_;
  std::unique_ptr<conduct::Conductor> conductor_ = std::make_unique<conduct::Conductor>();
  ThreadId at_ = kMainThread;
  std::array<int, 2> next_{};
  uint64_t read_ = 0;
};

}  // namespace

double point_nanoseconds(const policy::PolicyInfo& policy) {
  Bed bed(policy);
  return least(kPoints, [&] {
    bed.begin();
    bed.spawn();
    for (int i = 0; i < kPoints; ++i) bed.point();
  });
}

double switch_nanoseconds() {
  Bed bed(kPct);
  return least(kPoints, [&] {
    bed.begin();
    bed.spawn();
    for (int i = 0; i < kPoints; ++i) bed.yield();
  });
}

double begin_nanoseconds(const policy::PolicyInfo& policy) {
  Bed bed(policy);
  return least(kBegins, [&] {
    for (int i = 0; i < kBegins; ++i) bed.begin();
  });
}

double quiet_nanoseconds() {
  Bed bed(kPct);
  constexpr int kMany = 100 * kPoints;
  return least(kMany, [&] {
    bed.begin();
    bed.spawn();
    for (Step passed = 0; passed < kMany;) passed += bed.quiet_points();
  });
}

}  // namespace snarl
