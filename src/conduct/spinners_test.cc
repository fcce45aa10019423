#include "conduct/spinners.h"

#include <gtest/gtest.h>

#include <memory>

namespace snarl::conduct {
namespace {

constexpr ThreadId kReader = 1, kWriter = 2;
constexpr uint64_t kFlag = 0x1000, kOther = 0x2000;

struct Bench {
  std::unique_ptr<Spinners> spinners = std::make_unique<Spinners>();
  Step now = 0;
  Spinners::Found found = Spinners::Found::kNothing;  // by the last step

  Bench() {
    spinners->begin();
    spinners->spawned(kReader);
    spinners->spawned(kWriter);
  }
  bool step(ThreadId t, OpKind kind, uint64_t address, uint64_t value = 0, uint64_t pc = 7) {
    found = spinners->stepped(t, Op{.kind = kind, .object = address, .value = 4, .seen = value, .pc = pc}, ++now);
    return found == Spinners::Found::kSpins;
  }
  bool read(uint64_t address, uint64_t value = 0, uint64_t pc = 7) {
    return step(kReader, OpKind::kRead, address, value, pc);
  }
  bool held() { return spinners->held(now).has(kReader); }
  // Reads until it is found to spin; how often it did.
  int spin(int most = 10'000) {
    for (int i = 1; i <= most; ++i)
      if (read(kFlag)) return i;
    return 0;
  }
};

TEST(Spinners, AReadOfTheSameAgainAndAgainSpins) {
  Bench bench;
  const int steps = bench.spin();
  EXPECT_GT(steps, 900) << "300 rounds of three reads are left alone";
  EXPECT_LE(steps, 1100);
  EXPECT_TRUE(bench.held());
}

TEST(Spinners, RoundsAreTheStepsOfTheLoopAlone) {
  Bench bench;
  for (int i = 0; i < 50; ++i) bench.read(kOther, static_cast<uint64_t>(i));
  bench.step(kReader, OpKind::kLock, kOther);
  EXPECT_EQ(bench.spinners->rounds(), 0u);
  const auto steps = static_cast<Step>(bench.spin());
  EXPECT_EQ(bench.spinners->rounds(), steps);
  EXPECT_TRUE(bench.read(kFlag)) << "it spins on";
  EXPECT_EQ(bench.spinners->rounds(), steps + 1);
}

TEST(Spinners, AWriteToItLetsGoAndAnotherDoesNot) {
  Bench bench;
  bench.spin();
  bench.step(kWriter, OpKind::kWrite, kOther);
  EXPECT_TRUE(bench.held());
  bench.step(kWriter, OpKind::kAtomicStore, kFlag);
  EXPECT_FALSE(bench.held());
  EXPECT_FALSE(bench.read(kFlag, 1)) << "it sees something new";
  EXPECT_EQ(bench.found, Spinners::Found::kChange);
  EXPECT_FALSE(bench.read(kFlag, 1));
  EXPECT_EQ(bench.found, Spinners::Found::kNothing);
  EXPECT_EQ(bench.spinners->free_steps(kReader), Spinners::kNextFirst - 1) << "the next time it is found sooner";
}

TEST(Spinners, WhoFindsNothingNewMakesWayAtOnce) {
  Bench bench;
  bench.spin();
  bench.step(kWriter, OpKind::kAtomicRmw, kFlag);
  EXPECT_TRUE(bench.read(kFlag));
  EXPECT_TRUE(bench.held());
}

TEST(Spinners, NobodyIsHeldForGood) {
  Bench bench;
  bench.spin();
  for (Step i = 0; i < Spinners::kPatience; ++i) bench.step(kWriter, OpKind::kRead, kOther + i * 8);
  EXPECT_FALSE(bench.held());
}

// Loops of several reads, of exchanges with a point after each. (A pause is a yield: the conductor's business.)
TEST(Spinners, LoopsOfSeveralKinds) {
  Bench two, exchange;
  int steps = 0;
  while (!two.read(kFlag, 1, 7) && !two.read(kOther, 2, 8) && ++steps < 2000) {
  }
  EXPECT_LT(steps, 600);
  for (steps = 0; steps < 2000; ++steps) {
    if (exchange.step(kReader, OpKind::kAtomicRmw, kFlag, 1)) break;
    exchange.step(kReader, OpKind::kAfter, kFlag);
  }
  EXPECT_LT(steps, 600);
}

TEST(Spinners, ALoopMayReadAtManyPlaces) {
  Bench nine;
  uint64_t steps = 0;
  while (!nine.read(kFlag + 8 * (steps % 9), 1) && steps < 2000) ++steps;
  EXPECT_LT(steps, 1100u);
}

// A loop that counts its rounds in memory is found too, later.
TEST(Spinners, ALoopThatWritesIsFoundInTheEnd) {
  Bench bench;
  uint64_t steps = 0;
  while (steps < 100'000 && !bench.read(kFlag)) {
    EXPECT_FALSE(bench.step(kReader, OpKind::kWrite, kOther, steps, 9));
    ++steps;
  }
  EXPECT_LT(steps, 10'000u);
  EXPECT_GT(steps, 1000u) << "a loop that writes probably works";
}

TEST(Spinners, WorkIsNoSpinning) {
  Bench bench;
  for (uint64_t i = 0; i < 100'000; ++i) {
    ASSERT_FALSE(bench.read(kFlag + i * 8, 0));  // walks through memory
    ASSERT_FALSE(bench.read(kOther, i, 9));      // sees another value each time
  }
  for (uint64_t i = 0; i < 1000; ++i) {
    ASSERT_FALSE(bench.read(kFlag));
    ASSERT_FALSE(bench.step(kReader, OpKind::kLock, 5));  // loops with calls are for SpinWatch
  }
}

// A caller that skips the free steps sees the same as one that is told of every step.
TEST(Spinners, SkippingWhatIsFreeChangesNothing) {
  Bench all, skipping;
  const auto op_at = [](uint64_t i) {
    return Op{.kind = i % 5000 < 4000 ? OpKind::kRead : OpKind::kWrite,
              .object = kFlag + (i / 700) * 8,
              .value = 4,
              .seen = i / 50,
              .pc = 7 + i % 3};
  };
  uint64_t skipped = 0;
  for (uint64_t i = 0; i < 50'000; ++i) {
    const Spinners::Found spins = all.spinners->stepped(kReader, op_at(i), i);
    if (skipping.spinners->free_steps(kReader) > 0) {
      skipping.spinners->skipped(kReader, 1);
      ++skipped;
      ASSERT_EQ(spins, Spinners::Found::kNothing) << i;
    } else {
      ASSERT_EQ(skipping.spinners->stepped(kReader, op_at(i), i), spins) << i;
    }
    ASSERT_EQ(all.held(), skipping.held()) << i;
  }
  EXPECT_GT(skipped, 10'000u);
}

}  // namespace
}  // namespace snarl::conduct
