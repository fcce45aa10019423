// What the step rules allow can happen: every schedule that an interpreter of its own lists is followed step by step,
// with no mechanism in the way; and `random` is uniform among those whom that interpreter calls enabled.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/test_statistics.h"
#include "policy/random_walk.h"
#include "tests/virtual/named_schedule.h"
#include "tests/virtual/reference.h"
#include "tests/virtual/script_player.h"

namespace snarl {
namespace {

constexpr long kMostSchedules = 5000;

// `random`, and who took each step.
class Watched final : public policy::Policy {
 public:
  bool begin(const Run& run, Arena& arena, policy::Plan& plan) override {
    takers.clear();
    return random_.begin(run, arena, plan);
  }
  void decide(const policy::View& view, policy::Verdict& verdict) override {
    if (view.step > takers.size()) takers.resize(view.step, takers.back());  // its answer held
    random_.decide(view, verdict);
    takers.push_back(view.ordinal(verdict.first));
  }
  std::vector<uint32_t> takers;

 private:
  policy::RandomWalk random_;
};

std::string text_of(const std::vector<uint32_t>& schedule) {
  std::string text;
  for (const uint32_t mover : schedule)
    text += ((mover & kTimerBit) != 0 ? " t" : " ") + std::to_string(mover & ~kTimerBit);
  return text;
}

OutcomeKind outcome_of(const Reference& state) {
  return state.end() == Reference::End::kOk ? OutcomeKind::kOk : OutcomeKind::kDeadlock;
}

void expect_followed(const virtual_world::VirtualProgram& program, const std::vector<uint32_t>& schedule,
                     const Reference& end) {
  NamedSchedule policy(schedule);
  const virtual_world::VirtualResult result = virtual_world::run_virtual(program, policy);
  ASSERT_TRUE(policy.is_followed) << text_of(schedule);
  ASSERT_EQ(result.steps, schedule.size()) << text_of(schedule);
  for (const Decision& decision : result.decisions)
    ASSERT_EQ(decision.to, schedule.at(decision.step)) << text_of(schedule);
  ASSERT_EQ(result.outcome, outcome_of(end)) << text_of(schedule);
  ASSERT_EQ(result.trace, end.notes()) << text_of(schedule);
  ASSERT_EQ(result.passed_over, 0u) << text_of(schedule);
  ASSERT_EQ(result.overrides, 0u);
}

constexpr int kRounds[] = {0, 0, 0, 3, 0, 20, 0, 60, 0, 300};
constexpr int kPrograms = 200;

std::vector<Script> scripts() {
  std::vector<Script> list;
  uint64_t seed = 1;
  for (int i = 0; i < kPrograms; ++i)
    list.push_back(fitting_script(seed, kRounds[static_cast<size_t>(i) % std::size(kRounds)], kMostSchedules));
  return list;
}

const std::vector<Script>& all_scripts() {
  static const std::vector<Script> list = scripts();
  return list;
}

TEST(Reachability, EveryScheduleOfTheStepRulesIsFollowed) {
  long schedules = 0, deadlocks = 0, timeouts = 0;
  for (size_t i = 0; i < all_scripts().size() && !HasFatalFailure(); ++i) {
    const Script& script = all_scripts()[i];
    const virtual_world::VirtualProgram program = play(script);
    SCOPED_TRACE(i);
    schedules += for_every_reference_schedule(script, kMostSchedules, [&](const auto& schedule, const Reference& end) {
      if (HasFatalFailure()) return;
      expect_followed(program, schedule, end);
      deadlocks += end.end() == Reference::End::kDeadlock;
      timeouts +=
          std::any_of(schedule.begin(), schedule.end(), [](uint32_t mover) { return (mover & kTimerBit) != 0; });
    });
  }
  EXPECT_GT(schedules, 50'000);
  EXPECT_GT(deadlocks, 1000);
  EXPECT_GT(timeouts, 1000);
  RecordProperty("schedules", std::to_string(schedules));
}

// But those that end the process, that only the conductor makes, or that are no points.
TEST(Reachability, EveryKindOfOperationIsThere) {
  std::set<OpKind> kinds = {OpKind::kNone,    OpKind::kStart,      OpKind::kExit,        OpKind::kReacquire,
                            OpKind::kAfter,   OpKind::kTimeout,    OpKind::kBarrierPass, OpKind::kFutexWoken,
                            OpKind::kHandler, OpKind::kEndProcess, OpKind::kExec,        OpKind::kFree};
  std::map<int, std::set<OpKind>> retried;
  for (const Script& script : all_scripts())
    for (const auto& lines : script.threads)
      for (const Line& line : lines) {
        kinds.insert(line.kind);
        if (line.times > 1) retried[line.times].insert(line.kind);
      }
  for (int kind = 0; kind < static_cast<int>(OpKind::kCount); ++kind)
    EXPECT_EQ(kinds.count(static_cast<OpKind>(kind)), 1u) << name_of(static_cast<OpKind>(kind));
  for (const int rounds : {3, 20, 60, 300}) EXPECT_GE(retried[rounds].size(), 5u) << rounds;
}

// By the number of movers: how often each of them, in order, was next.
TEST(Reachability, RandomIsUniformAmongThoseWhoMayMove) {
  std::map<size_t, std::vector<uint64_t>> counts;
  for (size_t i = 0; i < all_scripts().size(); ++i) {
    const Script& script = all_scripts()[i];
    const virtual_world::VirtualProgram program = play(script);
    for (uint64_t index = 0; index < 100; ++index) {
      Watched random;
      const virtual_world::VirtualResult result =
          virtual_world::run_virtual(program, random, virtual_world::virtual_run("random", 0, 1 + i, index, 3, 50));
      random.takers.resize(result.steps, random.takers.back());
      Reference state(script);
      for (const uint32_t taker : random.takers) {
        const std::vector<uint32_t>& movers = state.movers();
        const auto at = std::find(movers.begin(), movers.end(), taker);
        ASSERT_NE(at, movers.end()) << i << " " << index;
        std::vector<uint64_t>& row = counts[movers.size()];
        row.resize(movers.size());
        ++row[static_cast<size_t>(at - movers.begin())];
        state.take(taker);
      }
      ASSERT_EQ(result.outcome, outcome_of(state)) << i << " " << index;
    }
  }
  ASSERT_GE(counts.size(), 3u);
  counts.erase(1);
  for (const auto& [size, row] : counts) EXPECT_GT(uniform_tail(row), kByLuck) << size << " movers";
}

}  // namespace
}  // namespace snarl
