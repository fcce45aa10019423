// What tracing costs: a run of a million steps with and without its events, by the program's own clock.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "explore/execute/worker.h"
#include "explore/target/policy_spec.h"
#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kMostTimes = 2;  // what a traced run may take of an untraced one

fs::path here() { return fs::read_symlink("/proc/self/exe").parent_path(); }

class Runs {
 public:
  explicit Runs(const char* policy)
      : policy_(policy),
        guard_(std::move(*os::Guard::start())),
        input_(std::move(*os::StandardInput::prepare(-1, [] {}))) {
    setup_.target = *explore::find_target({here() / "bench_many_points", "1000000"}, {});
    setup_.runtime = (here() / "../lib/libsnarl_rt.so").lexically_normal();
    setup_.input = &input_;
    setup_.timeout = 60;
    setup_.settings.step_budget = 0;
    for (char** entry = environ; *entry != nullptr; ++entry) setup_.environment.push_back(*entry);
    auto worker = explore::Worker::create(setup_, guard_, explore::Mode::kFork, -1);
    if (worker) worker_ = std::move(*worker);
  }

  // Nanoseconds per point; 0 if the run failed, or an event was lost.
  double measure(bool traced) {
    explore::RunOrder order(setup_.settings);
    order.key.policy = *explore::parse_policy(policy_);
    order.key.profile = {.threads = 3, .steps = 1'000'000};
    order.settings.trace = traced;
    order.keep_all = true;
    const auto run = worker_ == nullptr ? Error{} : explore::run_to_end(*worker_, std::move(order), -1);
    if (!run || run->outcome != OutcomeKind::kOk) return 0;
    double nanoseconds = 0, points = 0;
    std::istringstream(run->out) >> nanoseconds >> points;
    const bool whole = run->events_lost == 0 && static_cast<double>(run->events.size()) > points;
    return traced && !whole ? 0 : nanoseconds / points;
  }

 private:
  const char* policy_;
  os::Guard guard_;
  os::StandardInput input_;
  explore::Setup setup_;
  std::unique_ptr<explore::Worker> worker_;
};

// In turn, so that what else the machine does meets both; the best of each. Of a policy under which threads hardly ever
// switch, an untraced step costs less than the memory that an event is written to: there is no limit for it.
void measure_policy(const char* policy, bool is_limited) {
  Runs runs(policy);
  double plain = 1e18, traced = 1e18;
  for (int i = 0; i < 5; ++i) {
    const double a = runs.measure(false), b = runs.measure(true);
    if (a == 0 || b == 0) return failed(fmt::format("a traced run, {}", policy));
    plain = std::min(plain, a), traced = std::min(traced, b);
  }
  const std::string what = fmt::format("a million steps traced over untraced, {}", policy);
  const std::string measured = fmt::format("{:.2f}x ({:.0f} / {:.0f} ns a step)", traced / plain, traced, plain);
  is_limited ? row(what, measured, "<= 2x", traced / plain / kMostTimes) : row(what, measured);
}

}  // namespace

void measure_trace() {
  measure_policy("random", true);
  measure_policy("pct:depth=3", false);
}

}  // namespace snarl::bench
