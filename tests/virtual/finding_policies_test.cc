// Each policy finds its own kind of bug, with the probability that is stated here, and misses what it must miss.
// Exact binomial tests; a right policy fails by luck with less than 1e-9.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/test_statistics.h"
#include "policy/catalog.h"
#include "tests/virtual/mini_programs.h"
#include "virtual/world.h"

namespace snarl {
namespace {

constexpr uint64_t kRuns = 4000;

const MiniProgram& wrong(const std::string& name) {
  static const std::vector<MiniProgram> programs = wrong_programs();
  for (const MiniProgram& program : programs)
    if (name == program.name) return program;
  ADD_FAILURE() << name;
  return programs[0];
}

uint64_t found(const char* policy, double parameter, const MiniProgram& program) {
  const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
  uint64_t count = 0;
  for (uint64_t i = 0; i < kRuns; ++i) {
    snarl::Run run = virtual_world::virtual_run(policy, parameter, 11, i, program.n, program.k);
    if (std::string(policy) == "random-sleep") run.key.policy.values[1] = 1;
    counts.tell(run);
    count += virtual_world::run_virtual(program.body, run).outcome == program.fails;
  }
  return count;
}

void expect_rate(const char* policy, double parameter, const char* program, double low, double high) {
  const uint64_t count = found(policy, parameter, wrong(program));
  EXPECT_TRUE(is_rate_within(count, kRuns, low, high))
      << policy << " on " << program << ": " << count << " of " << kRuns;
}

// Broken atomicity between two critical sections: atom-fuzzer holds a thread exactly there.
TEST(Finding, AtomFuzzerOpensTheGapBetweenCriticalSections) {
  expect_rate("atom-fuzzer", 0, "lost update", 0.9, 1);
  EXPECT_GT(found("atom-fuzzer", 0, wrong("lost update")), found("random", 0, wrong("lost update")));
}

// Two threads alternate: what needs a switch at every point is found in every run; what needs a thread to take two
// steps in a row, as main's before its first child is initialised, never.
TEST(Finding, PreemptAlwaysFindsWhatNeedsManySwitches) {
  EXPECT_EQ(found("preempt-always", 0, wrong("free before use")), kRuns);
  EXPECT_EQ(found("preempt-always", 0, wrong("missed signal")), 0u);
  expect_rate("preempt-always", 0, "lost update", 0.8, 0.9);
}

// One preemption of 2, at one of k steps, in one of two threads.
TEST(Finding, PreemptBoundFindsWhatNeedsOne) {
  expect_rate("preempt-bound", 2, "lost update", 0.02, 0.6);
  expect_rate("preempt-bound", 2, "lock inversion of 2", 0.02, 0.6);
  EXPECT_EQ(found("preempt-bound", 0, wrong("lost update")), 0u);
}

TEST(Finding, DelayBoundFindsWithDelaysOnly) {
  EXPECT_EQ(found("delay-bound", 0, wrong("lock inversion of 2")), 0u);
  expect_rate("delay-bound", 2, "lock inversion of 2", 0.02, 0.6);
}

// Without control there is one schedule, which misses all that needs another.
TEST(Finding, NoneFindsOnlyWhatAlwaysFails) {
  for (const MiniProgram& program : wrong_programs()) {
    const uint64_t count = found("none", 0, program);
    EXPECT_TRUE(count == 0 || count == kRuns) << program.name;
  }
}

}  // namespace
}  // namespace snarl
