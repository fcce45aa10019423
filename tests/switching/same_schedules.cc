// Gates and fibers give the same schedules: for each program and seed, steps, switches, the hash of all decisions,
// threads and outcome are equal.
//
//   same_schedules SEEDS MOST_MUTE PROGRAM... [--gates PROGRAM...]
//
// Prints one line per program. Exit 1 if any two runs differ, if a program falls back to gates that is not behind
// --gates, or one that is there does not, or if more than MOST_MUTE runs say nothing, because they do not repeat on
// gates either (they depend on other processes).
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <tuple>
#include <vector>

#include "cli/installation.h"
#include "explore/execute/worker.h"
#include "policy/catalog.h"

namespace snarl::explore {
namespace {

using Trail = std::tuple<OutcomeKind, int, int, Step, uint64_t, uint64_t, uint32_t, uint64_t, size_t>;

Trail trail_of(const record::RunRecord& run) {
  return {run.outcome,       run.exit_code, run.signal,   run.steps,         run.switches,
          run.decision_hash, run.created,   run.timeouts, run.misuses.size()};
}

// Every policy of the catalog that runs serially and needs nothing that only a campaign knows.
std::vector<PolicySpec> simple_policies() {
  std::vector<PolicySpec> result;
  for (const policy::PolicyInfo& info : policy::policy_catalog()) {
    const PolicySpec spec = policy::trial_spec(info);
    const policy::Traits traits = policy::traits_of(spec);
    const bool needs = traits.parallel || traits.counts || traits.groups || traits.directed;
    if (info.for_users && !needs) result.push_back(spec);
  }
  return result;
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
    static const std::vector<PolicySpec> policies = simple_policies();
    RunOrder order(gates_setup_.settings);
    order.key.seed = 7;
    order.key.index = index;
    order.key.policy = policies[index % policies.size()];
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

Setup setup_for(const std::string& program, const std::string& runtime, os::StandardInput& input) {
  Setup setup;
  setup.target = *find_target({program}, {});
  setup.runtime = runtime;
  for (char** entry = environ; *entry != nullptr; ++entry) setup.environment.push_back(*entry);
  setup.input = &input;
  setup.timeout = 5;
  setup.settings.clock_base = 1'700'000'000'000'000'000;
  return setup;
}

struct Expectation {
  std::string program;
  bool on_gates;  // it is known not to run on fibers
};

int compare_all(uint64_t seeds, int most_mute, const std::vector<Expectation>& programs) {
  const Expected<std::string> runtime = cli::find_runtime();
  if (!runtime) return fmt::print("{}\n", runtime.error().message), 2;
  Expected<os::Guard> guard = os::Guard::start();
  Expected<os::StandardInput> input = os::StandardInput::prepare(-1, [] {});
  int different = 0, mute = 0, elsewhere = 0;
  for (const auto& [program, on_gates] : programs) {
    Comparison comparison(setup_for(program, *runtime, *input), *guard);
    const int here = comparison.compare(seeds);
    const std::string& obstacle = comparison.obstacle();
    const bool as_expected = on_gates == !obstacle.empty();
    different += here;
    mute += comparison.mute();
    elsewhere += as_expected ? 0 : 1;
    fmt::print("{}: {} of {} differ, {} don't repeat{}{}{}\n", program, here, seeds, comparison.mute(),
               obstacle.empty() ? "" : "; gates: ", obstacle, as_expected ? "" : " (not as its header says)");
  }
  fmt::print("{} differ, {} don't repeat (at most {} may), {} on another layer than they should\n", different, mute,
             most_mute, elsewhere);
  return different == 0 && mute <= most_mute && elsewhere == 0 ? 0 : 1;
}

}  // namespace
}  // namespace snarl::explore

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  std::vector<snarl::explore::Expectation> programs;
  bool on_gates = false;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--gates")
      on_gates = true;
    else
      programs.push_back({word, on_gates});
  }
  return snarl::explore::compare_all(std::stoull(argv[1]), std::stoi(argv[2]), programs);
}
