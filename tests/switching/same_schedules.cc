// Gates and fibers give the same schedules: for each program and seed, steps, switches, the hash of all decisions,
// threads and outcome are equal.
//
//   same_schedules SEEDS PROGRAM...     prints one line per program; exit 1 if any two runs differ
//
// A run that does not repeat on gates either (it depends on other processes) says nothing. Programs that can't be on
// fibers are named with the reason.
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <tuple>

#include "cli/installation.h"
#include "explore/execute/worker.h"
#include "explore/target/policy_spec.h"

namespace snarl::explore {
namespace {

using Trail = std::tuple<OutcomeKind, int, int, Step, uint64_t, uint64_t, uint32_t, uint64_t, size_t>;

Trail trail_of(const record::RunRecord& run) {
  return {run.outcome,       run.exit_code, run.signal,   run.steps,         run.switches,
          run.decision_hash, run.created,   run.timeouts, run.misuses.size()};
}

class Comparison {
 public:
  Comparison(Setup setup, os::Guard& guard) : gates_setup_(setup), fibers_setup_(std::move(setup)), guard_(guard) {
    gates_setup_.switching = Switching::kGates;
    fibers_setup_.switching = Switching::kFibers;
  }

  // The number of seeds that differ.
  int compare(uint64_t seeds) {
    gates_ = make(gates_setup_);
    fibers_ = make(fibers_setup_);
    if (!gates_ || !fibers_) return 1;
    int different = 0;
    for (uint64_t index = 0; index < seeds; ++index) different += differs(index) ? 1 : 0;
    return different;
  }

  const std::string& obstacle() const { return obstacle_; }
  int mute() const { return mute_; }

 private:
  std::unique_ptr<Worker> make(const Setup& setup) {
    Expected<std::unique_ptr<Worker>> worker = Worker::create(setup, guard_, Mode::kFork, -1);
    return worker ? std::move(*worker) : nullptr;
  }

  std::optional<record::RunRecord> run(Worker& worker, uint64_t index) {
    static const char* const kPolicies[] = {"random", "pct:depth=3", "pos"};
    RunOrder order(gates_setup_.settings);
    order.key.seed = 7;
    order.key.index = index;
    order.key.policy = *parse_policy(kPolicies[index % 3]);
    order.key.profile = {.threads = 4, .steps = 60};
    Expected<record::RunRecord> record = run_to_end(worker, std::move(order), -1);
    if (!record) fmt::print("  {}\n", record.error().message);
    return record ? std::optional(std::move(*record)) : std::nullopt;
  }

  // Twenty times, because what other processes do seldom differs on an idle machine.
  bool varies_on_gates(uint64_t index, const Trail& trail) {
    for (int i = 0; i < 20; ++i) {
      const auto again = run(*gates_, index);
      if (!again || trail_of(*again) != trail) return true;
    }
    return false;
  }

  bool differs(uint64_t index) {
    const auto a = run(*gates_, index), b = run(*fibers_, index);
    if (!a || !b) return true;
    obstacle_ = b->obstacle;
    if (trail_of(*a) == trail_of(*b)) return false;
    if (!a->repeatable || !b->repeatable || varies_on_gates(index, trail_of(*a))) {
      ++mute_;
      return false;
    }
    fmt::print("  7:{}: gates {} {} steps {} switches {:x}, fibers {} {} steps {} switches {:x}\n", index,
               name_of(a->outcome), a->steps, a->switches, a->decision_hash, name_of(b->outcome), b->steps, b->switches,
               b->decision_hash);
    return true;
  }

  Setup gates_setup_, fibers_setup_;
  os::Guard& guard_;
  std::unique_ptr<Worker> gates_, fibers_;
  std::string obstacle_;
  int mute_ = 0;
};

int compare_all(uint64_t seeds, const std::vector<std::string>& programs) {
  const Expected<std::string> runtime = cli::find_runtime();
  if (!runtime) return fmt::print("{}\n", runtime.error().message), 2;
  Expected<os::Guard> guard = os::Guard::start();
  Expected<os::StandardInput> input = os::StandardInput::prepare(-1, [] {});
  int different = 0;
  for (const std::string& program : programs) {
    Setup setup;
    setup.target = *find_target({program}, {});
    setup.runtime = *runtime;
    for (char** entry = environ; *entry != nullptr; ++entry) setup.environment.push_back(*entry);
    setup.input = &*input;
    setup.timeout = 5;
    setup.settings.clock_base = 1'700'000'000'000'000'000;
    Comparison comparison(setup, *guard);
    const int here = comparison.compare(seeds);
    different += here;
    fmt::print("{}: {} of {} differ, {} don't repeat{}{}\n", program, here, seeds, comparison.mute(),
               comparison.obstacle().empty() ? "" : "; gates: ", comparison.obstacle());
  }
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace snarl::explore

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return snarl::explore::compare_all(std::stoull(argv[1]), {argv + 2, argv + argc});
}
