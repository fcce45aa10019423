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
Task rounds(World& w) {
  for (int i = 0; i < 83; ++i) {
    co_await w.lock(i % 3);
    ++w.value[0];
    co_await w.unlock(i % 3);
    co_await w.event();
  }
}

Task three_threads(World& w) {
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
      names_.push_back(t == 0 ? kMainName : name_of_child(kMainName, t - 1u));
      ordinals_.push_back(t);
      pending_.push_back(next_op(t));
      counts_.threads.push_back({names_[t], t == 0 ? 0 : kMainName, 1000});
      counts_.objects.push_back({names_[t], 1, 1000});
      view_.live.add(t);
    }
    const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    std::sort(counts_.threads.begin(), counts_.threads.end(), by_name);
    taken_.assign(names_.size(), 0);
    view_.enabled = view_.live;
    view_.pending = pending_.data();
    view_.names = names_.data();
    view_.ordinals = ordinals_.data();
    view_.taken = taken_.data();
  }

  void begin(const char* name) {
    Arena arena(memory_.data(), memory_.size());
    Run run = virtual_run(name, 3, 1, 1, static_cast<uint32_t>(names_.size()), 1'000'000);
    run.counts = counts_.view();
    policy_ = policy_catalog()[run.policy.policy].make(arena);
    Plan plan;
    policy_->begin(run, arena, plan);
    view_.last = kMainThread;
    for (ThreadId t = 1; t < names_.size(); ++t) policy_->spawned(view_, t);
  }

  void step() {
    Verdict verdict;
    policy_->decide(view_, verdict);
    const ThreadId t = verdict.first;
    view_.did = pending_[t];
    policy_->stepped(arrival(t), true);
    pending_[t] = next_op(t);
    policy_->arrived(arrival(t));
    view_.last = t;
    view_.last_ordinal = t;
    ++view_.step;
    ++taken_[t];
  }

 private:
  static Op next_op(ThreadId t) { return Op{.kind = OpKind::kLock, .object = t % 16 + 1u}; }
  Arrival arrival(ThreadId t) const { return {t, names_[t], pending_[t].object, 0, pending_[t]}; }

  std::vector<char> memory_ = std::vector<char>(1 << 20);
  std::vector<uint64_t> names_, taken_;
  std::vector<uint32_t> ordinals_;
  std::vector<Op> pending_;
  VirtualCounts counts_;
  View view_;
  Policy* policy_ = nullptr;
};

}  // namespace

double decision_nanoseconds(const char* policy, int threads) {
  using Clock = std::chrono::steady_clock;
  constexpr int kSteps = 20'000;
  Crowd crowd(threads);
  double best = 1e18;
  for (int measurement = 0; measurement < 30; ++measurement) {
    crowd.begin(policy);
    const auto begin = Clock::now();
    for (int i = 0; i < kSteps; ++i) crowd.step();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count() * 1e9 / kSteps);
  }
  return best;
}

double virtual_steps_per_second(const char* policy) {
  using Clock = std::chrono::steady_clock;
  constexpr double kSeconds = 0.5;  // hundreds of runs even at a tenth of the target
  Step steps = 0;
  double seconds = 0;
  const auto begin = Clock::now();
  for (uint64_t index = 0; seconds < kSeconds; ++index) {
    steps += run_virtual(three_threads, virtual_run(policy, 3, 1, index, 3, 1000)).steps;
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  }
  return static_cast<double>(steps) / seconds;
}

void print_virtual_speed() {
  for (const char* policy : {"pct", "random"})
    std::printf("virtual programs, %s: %.1f M steps/s\n", policy, virtual_steps_per_second(policy) / 1e6);
}

}  // namespace snarl
