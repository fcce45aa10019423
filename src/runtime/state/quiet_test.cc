#include "runtime/state/quiet.h"

#include <gtest/gtest.h>

#include "conduct/quick.h"
#include "runtime/state/test_run.h"

namespace snarl::runtime {
namespace {

constexpr Step kPlanned = 200;

// Main arrives at its first point beside another thread. False: the other one is chosen there.
bool stays(TestRun& run) {
  const Op op{.kind = OpKind::kUser, .object = 1};
  if (engine::conductor().arrive(run.main().id, op).next != run.main().id) return false;
  engine::conductor().take(run.main().id);
  return true;
}

// The steps that main takes by asking at each point, until somebody must be asked.
Step passed_one_by_one(uint64_t seed) {
  TestRun run(seed, kPlanned);
  quiet::begin();
  if (!stays(run)) return 0;
  while (quiet::step(run.main()))
    if (engine::conductor().step() > 10 * kPlanned) break;
  return engine::conductor().step();
}

// The same by allowances, used up `at_a_time`.
Step passed_by_allowance(uint64_t seed, int64_t at_a_time) {
  TestRun run(seed, kPlanned);
  quiet::begin();
  if (!stays(run)) return 0;
  quiet::wanted = true;
  for (;;) {
    quiet::go(run.main());
    if (engine::allowance == 0 || engine::conductor().step() > 10 * kPlanned) break;
    for (int64_t i = 0; i < at_a_time && engine::allowance > 0; ++i) --engine::allowance;
    quiet::stop(run.main());
  }
  quiet::wanted = false;
  return engine::conductor().step();
}

// One path asks the conductor at every point, the other only when what was granted is used up.
TEST(Quiet, AllowancesAreWorthAsManySteps) {
  int longer = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Step expected = passed_one_by_one(seed);
    for (const int64_t at_a_time : {1, 7, 1'000'000}) EXPECT_EQ(passed_by_allowance(seed, at_a_time), expected) << seed;
    longer += expected > 2 ? 1 : 0;
  }
  EXPECT_GT(longer, 10) << "main has the higher priority in about half of the runs";
}

TEST(Quiet, NothingIsGrantedToAProgramWithoutQuietPoints) {
  TestRun run;
  quiet::begin();
  quiet::go(run.main());
  EXPECT_EQ(engine::allowance, 0);
}

TEST(Quiet, WhoMustAskGetsNothing) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    TestRun run(seed);
    quiet::begin();
    quiet::wanted = true;
    run.main().cancel_anywhere = true;
    quiet::go(run.main());
    EXPECT_EQ(engine::allowance, 0);
    EXPECT_FALSE(quiet::step(run.main()));
    run.main().cancel_anywhere = false;
    run.main().uninterrupted = 1;
    quiet::go(run.main());
    EXPECT_EQ(engine::allowance, 0);
    quiet::wanted = false;
  }
}

TEST(Quiet, ProgressGrowsAsPointsGoBy) {
  TestRun run;
  quiet::begin();
  engine::allowance = 5;
  const uint64_t before = quiet::progress(3);
  --engine::allowance;
  EXPECT_GT(quiet::progress(3), before);
  EXPECT_GT(quiet::progress(4), quiet::progress(3));
  quiet::begin();
}

}  // namespace
}  // namespace snarl::runtime
