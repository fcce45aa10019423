#include "virtual_bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "base/hash.h"
#include "policy/catalog.h"
#include "virtual/world.h"

namespace snarl {
namespace {

// A lock, an unlock, the point after it and an event: 4 steps a round.
virtual_world::Task rounds(virtual_world::World& w) {
  for (int i = 0; i < 83; ++i) {
    co_await w.lock(i % 3);
    ++w.value[0];
    co_await w.unlock(i % 3);
    co_await w.event();
  }
}

virtual_world::Task three_threads(virtual_world::World& w) {
  const int a = co_await w.create(rounds);
  const int b = co_await w.create(rounds);
  for (int i = 0; i < 83; ++i) {
    co_await w.lock(i % 3);
    ++w.value[0];
    co_await w.unlock(i % 3);
    co_await w.event();
  }
  co_await w.join(a);
  co_await w.join(b);
}

// Threads as a policy sees them, without model and conductor.
class Crowd {
 public:
  explicit Crowd(int threads) {
    for (ThreadId t = 0; t < threads; ++t) {
      slots_.push_back({next_op(t), 0, t, t == 0 ? kMainName : name_of_child(kMainName, t - 1u)});
      counts_.threads.push_back({slots_[t].name, t == 0 ? 0 : kMainName, 1000});
      counts_.objects.push_back({slots_[t].name, 1, 1000});
      view_.live.add(t);
    }
    const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    counts_.pairs = {{1, kNever}, {2, kNever}};
    std::sort(counts_.threads.begin(), counts_.threads.end(), by_name);
    view_.enabled = view_.live;
    view_.slots = slots_.data();
  }

  // False: the plan says it all.
  bool begin(const policy::PolicyInfo& policy) {
    Arena arena(memory_.data(), memory_.size());
    Run run = virtual_world::trial_run(policy, 1, 1, static_cast<uint32_t>(slots_.size()), 1'000'000);
    counts_.tell(run);
    policy_ = policy.make(arena);
    policy::Plan plan;
    if (policy_->begin(run, arena, plan)) return false;
    view_.last = kMainThread;
    for (ThreadId t = 1; t < slots_.size(); ++t) policy_->spawned(view_, t);
    return true;
  }

  void step() {
    policy::Verdict verdict;
    policy_->decide(view_, verdict);
    const ThreadId t = verdict.first;
    view_.did = slots_[t].pending;
    policy_->stepped(arrival(t), true);
    slots_[t].pending = next_op(t);
    policy_->arrived(arrival(t));
    view_.last = t;
    view_.last_ordinal = t;
    ++view_.step;
    ++slots_[t].taken;
  }

 private:
  static constexpr uint64_t kNever = 1000;  // a site that nobody executes: some threads are held all the time

  static Op next_op(ThreadId t) { return Op{.kind = OpKind::kLock, .object = t % 16 + 1u}; }
  policy::Arrival arrival(ThreadId t) const {
    const uint64_t object = slots_[t].pending.object;
    return {.thread = t, .name = slots_[t].name, .object = object, .site = object, .op = slots_[t].pending};
  }

  std::vector<char> memory_ = std::vector<char>(1 << 20);
  std::vector<Slot> slots_;
  virtual_world::VirtualCounts counts_;
  policy::View view_;
  policy::Policy* policy_ = nullptr;
};

}  // namespace

double decision_nanoseconds(const policy::PolicyInfo& policy, int threads) {
  using Clock = std::chrono::steady_clock;
  constexpr int kSteps = 20'000;
  Crowd crowd(threads);
  double best = 1e18;
  for (int measurement = 0; measurement < 30; ++measurement) {
    if (!crowd.begin(policy)) return 0;
    const auto begin = Clock::now();
    for (int i = 0; i < kSteps; ++i) crowd.step();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() * 1e9 / kSteps);
  }
  return best;
}

double virtual_steps_per_second(const policy::PolicyInfo& policy) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSeconds = 0.5;  // hundreds of runs even at a tenth of the target
  Step steps = 0;
  double seconds = 0;
  const auto begin = Clock::now();
  for (uint64_t index = 0; seconds < kSeconds; ++index) {
    steps += virtual_world::run_virtual(three_threads, virtual_world::trial_run(policy, 1, index, 3, 1000)).steps;
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return static_cast<double>(steps) / seconds;
}

}  // namespace snarl
