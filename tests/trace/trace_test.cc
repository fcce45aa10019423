// The events of real runs, compared with what the programs say that they did.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "explore/execute/worker.h"
#include "explore/target/policy_spec.h"

namespace snarl::explore {
namespace {

const std::string kPrograms = SNARL_TRACE_PROGRAMS;

// Apart from the fixture, where gtest hides the name Setup.
class Scene {
 protected:
  Scene() : guard_(std::move(*os::Guard::start())), input_(std::move(*os::StandardInput::prepare(-1, [] {}))) {
    setup_.runtime = SNARL_RUNTIME;
    setup_.input = &input_;
    setup_.timeout = 60;
    setup_.settings.clock_base = 1'700'000'000'000'000'000;
    for (char** entry = environ; *entry != nullptr; ++entry) setup_.environment.push_back(*entry);
  }

  void program(const std::string& name, const std::vector<std::string>& words = {}) {
    std::vector<std::string> command = {kPrograms + "/" + name};
    command.insert(command.end(), words.begin(), words.end());
    setup_.target = *find_target(command, {});
  }

  RunOrder order_of(const std::string& policy, uint64_t index = 0) const {
    RunOrder order(setup_.settings);
    order.key.seed = 7;
    order.key.index = index;
    order.key.policy = *parse_policy(policy);
    order.key.profile = {.threads = 4, .steps = 60};
    order.settings.trace = true;
    return order;
  }

  std::unique_ptr<Worker> worker(Switching switching) {
    setup_.switching = switching;
    Expected<std::unique_ptr<Worker>> made = Worker::create(setup_, guard_, Mode::kFork, -1);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }

  static record::RunRecord run(Worker& worker, RunOrder order) {
    Expected<record::RunRecord> record = run_to_end(worker, std::move(order), -1);
    EXPECT_TRUE(record) << record.error().message;
    if (!record) return {};
    EXPECT_EQ(record->outcome, OutcomeKind::kOk) << record->message << record->err;
    return std::move(*record);
  }

  os::Guard guard_;
  os::StandardInput input_;
  Setup setup_;
};
class Tracing : protected Scene, public testing::Test {};

using Counts = std::map<std::string, uint64_t>;

Counts counted(const record::RunRecord& run) {
  Counts counts;
  for (const Event& event : run.events) ++counts[name_of(event.kind)];
  return counts;
}

// As the program counted: lines of a kind and a number.
Counts told(const record::RunRecord& run) {
  Counts counts;
  std::istringstream lines(run.out);
  std::string kind;
  for (uint64_t count; lines >> kind >> count;) counts[kind] = count;
  return counts;
}

uint64_t sum_of(const Counts& counts) {
  uint64_t sum = 0;
  for (const auto& [kind, count] : counts) sum += count;
  return sum;
}

// The conductor counts steps while two threads live and knows nothing of events.
void expect_all_steps(const record::RunRecord& run) {
  Step last = 0;
  uint64_t numbered = 0;
  for (const Event& event : run.events) {
    if (event.step == 0) continue;
    ASSERT_GT(event.step, last);
    last = event.step;
    ++numbered;
  }
  EXPECT_EQ(numbered, run.steps - run.timeouts);
  EXPECT_EQ(last, run.steps);
}

TEST_F(Tracing, EveryStepOfASerialRunIsAnEvent) {
  program("counts", {"20"});
  for (const Switching switching : {Switching::kFibers, Switching::kGates}) {
    const auto worker = this->worker(switching);
    for (const char* policy : {"random", "pct:depth=3", "pos"}) {
      const record::RunRecord run = this->run(*worker, order_of(policy));
      EXPECT_EQ(counted(run), told(run)) << policy << (switching == Switching::kFibers ? " on fibers" : " on gates");
      EXPECT_EQ(run.events_lost, 0u);
      expect_all_steps(run);
    }
  }
}

TEST_F(Tracing, EveryStepOfAParallelRunIsAnEvent) {
  program("counts", {"2000"});
  RunOrder order = order_of("ppct");
  order.settings.parallel = order.keep_all = true;
  const record::RunRecord run = this->run(*worker(Switching::kGates), std::move(order));
  EXPECT_EQ(counted(run), told(run));
  EXPECT_EQ(run.events_lost, 0u);
  EXPECT_TRUE(std::ranges::is_sorted(run.events, {}, &Event::step));
  for (const Event& event : run.events) ASSERT_LT(event.thread, 4u);
}

// 7 events in a round of each of three threads.
TEST_F(Tracing, AMillionStepsAreKept) {
  setup_.settings.step_budget = 0;
  program("counts", {"48000"});
  const record::RunRecord run = this->run(*worker(Switching::kFibers), order_of("random"));
  EXPECT_GT(run.events.size(), 1'000'000u);
  EXPECT_EQ(counted(run), told(run));
  EXPECT_EQ(run.events_lost, 0u);
  expect_all_steps(run);
}

TEST_F(Tracing, WhatIsLostBeyondIsCounted) {
  setup_.settings.step_budget = 0;
  program("counts", {"110000"});
  const record::RunRecord run = this->run(*worker(Switching::kFibers), order_of("random"));
  EXPECT_EQ(run.events.size(), wire::kMaxEvents);
  EXPECT_GT(run.events_lost, 0u);
  EXPECT_EQ(run.events.size() + run.events_lost, sum_of(told(run)));
  EXPECT_EQ(run.events.back().kind, OpKind::kEndProcess) << "the end is what is kept";
}

std::vector<uint64_t> frames_of(const record::RunRecord& run, const Event& event) {
  const std::span<const uint64_t> frames = run.stack(event.stack);
  return {frames.begin(), frames.end()};
}

// Copies of one process have the same addresses, so that the same schedule has the same stacks.
TEST_F(Tracing, KeptStacksAreThoseThatTheUnwinderFinds) {
  for (const char* name : {"stacks.O0", "stacks.O2"}) {
    program(name);
    for (const Switching switching : {Switching::kFibers, Switching::kGates}) {
      const auto worker = this->worker(switching);
      for (uint64_t index = 0; index < 5; ++index) {
        const record::RunRecord kept = run(*worker, order_of("random", index));
        RunOrder order = order_of("random", index);
        order.settings.unwind = true;
        const record::RunRecord unwound = run(*worker, std::move(order));
        ASSERT_EQ(kept.events.size(), unwound.events.size());
        for (size_t i = 0; i < kept.events.size(); ++i)
          ASSERT_EQ(frames_of(kept, kept.events[i]), frames_of(unwound, unwound.events[i]))
              << name << " event " << i << " " << name_of(kept.events[i].kind);
      }
    }
  }
}

// The place of the program's that locks once for each line that it prints, in the same order. Without optimisation, as
// that makes loops of some recursion.
TEST_F(Tracing, StacksAreAsDeepAsTheProgramSays) {
  program("stacks.O0");
  for (const Switching switching : {Switching::kFibers, Switching::kGates}) {
    const record::RunRecord run = this->run(*worker(switching), order_of("random"));
    std::vector<size_t> deep, found;
    std::istringstream lines(run.out);
    for (size_t depth; lines >> depth;) deep.push_back(depth);
    std::map<uint64_t, std::vector<size_t>> depths;  // by place of the lock
    for (const Event& event : run.events)
      if (event.kind == OpKind::kLock) depths[event.pc].push_back(run.stack(event.stack).size());
    ASSERT_FALSE(deep.empty());
    for (const auto& [pc, all] : depths)
      if (all.size() == deep.size()) found = all;
    ASSERT_FALSE(found.empty());
    const size_t base = found.front() - deep.front();
    for (size_t i = 0; i < deep.size(); ++i) ASSERT_EQ(found[i], base + deep[i]) << i;
  }
}

struct Atomic {
  std::string kind;
  int order = 0;
  uint64_t size = 0, value = 0;
  bool operator==(const Atomic&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Atomic& a) {
  return out << a.kind << " " << a.order << " " << a.size << " " << a.value;
}

TEST_F(Tracing, AtomicsHaveTheOrdersThatTheProgramGave) {
  program("orders");
  const record::RunRecord run = this->run(*worker(Switching::kFibers), order_of("random"));
  std::vector<Atomic> said, traced;
  std::istringstream lines(run.out);
  for (Atomic a; lines >> a.kind >> a.order >> a.size >> a.value;) said.push_back(a);
  for (const Event& e : run.events)
    if (e.order != MemoryOrder::kNone && e.kind != OpKind::kAfter)
      traced.push_back({name_of(e.kind), static_cast<int>(MemoryOrder{e.order}) - 1, e.size, e.value});
  EXPECT_GT(said.size(), 200u);
  EXPECT_EQ(traced, said);
}

// The same program without hooks: its instructions are patched, and tell no order.
TEST_F(Tracing, PatchedCodeIsSequential) {
  program("orders.plain");
  setup_.scanner = SNARL_TOOL;
  const record::RunRecord run = this->run(*worker(Switching::kFibers), order_of("random"));
  size_t updates = 0;
  for (const Event& e : run.events) {
    if (e.kind != OpKind::kAtomicRmw) continue;
    ++updates;
    EXPECT_EQ(MemoryOrder{e.order}, MemoryOrder::kSequential);
    EXPECT_THAT(e.size, testing::AnyOf(1u, 2u, 4u, 8u));
  }
  EXPECT_GE(updates, 4 * 8u) << "at least what it compares and exchanges";
}

}  // namespace
}  // namespace snarl::explore
