#include "runtime/state/turn.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "runtime/state/test_run.h"

namespace snarl::runtime {
namespace {

TEST(Turn, BelongsToMainAtFirst) {
  TestRun run;
  EXPECT_EQ(turn::holder(), kMainThread);
}

TEST(Turn, NobodyHasItInTheConductor) {
  TestRun run;
  EXPECT_TRUE(turn::enter(run.main()));
  EXPECT_EQ(turn::holder(), kNoThread);
  turn::leave(run.main());
  EXPECT_EQ(turn::holder(), kMainThread);
}

TEST(Turn, GoesToWhoLeavesTheConductor) {
  TestRun run;
  EXPECT_TRUE(turn::enter(run.main()));
  run.other().in_conductor = true;
  turn::leave(run.other());
  EXPECT_EQ(turn::holder(), run.other().id);
}

TEST(Turn, IsNotTakenFromOneInTheConductor) {
  TestRun run;
  EXPECT_TRUE(turn::enter(run.main()));
  EXPECT_FALSE(turn::take_from(run.main()));
  turn::leave(run.main());
  EXPECT_TRUE(turn::enter(run.main())) << "the claim that came too late is gone";
}

TEST(Turn, TakenAwayItMustBeRegained) {
  TestRun run;
  EXPECT_TRUE(turn::take_from(run.main()));
  EXPECT_EQ(turn::holder(), kNoThread);
  EXPECT_FALSE(turn::take_from(run.main())) << "it can't be taken twice";
  EXPECT_FALSE(turn::enter(run.main()));
  turn::regain(run.main());
  turn::leave(run.main());
  EXPECT_EQ(turn::holder(), kMainThread);
  EXPECT_TRUE(turn::enter(run.main()));
}

// A thread that enters and leaves without end, and one that takes its turn away: the witness is a flag that only the
// one who has won may set, by an exchange of its own.
TEST(Turn, NotBothWin) {
  TestRun run;
  std::atomic<bool> occupied{false}, end{false}, gives_back{false};
  uint64_t both = 0, entered = 0, taken = 0;
  const auto alone = [&](uint64_t& counter) {
    both += occupied.exchange(true, std::memory_order_relaxed) ? 1 : 0;
    ++counter;
    occupied.store(false, std::memory_order_relaxed);
  };
  std::thread runner([&] {
    while (!end) {
      if (!turn::enter(run.main())) {
        while (!gives_back) std::this_thread::yield();
        gives_back = false;
        turn::regain(run.main());
      }
      alone(entered);
      turn::leave(run.main());
      for (uint64_t i = 0; i < entered % 1000; ++i)
        __builtin_ia32_pause();  // the program's code: here it can lose the turn
    }
  });
  for (int tries = 0; tries < 300; ++tries) {
    if (!turn::take_from(run.main())) continue;
    alone(taken);
    gives_back = true;
    while (gives_back) std::this_thread::yield();
  }
  end = true;
  runner.join();
  EXPECT_EQ(both, 0u);
  EXPECT_GT(entered, 0u);
  EXPECT_GT(taken, 0u);
}

}  // namespace
}  // namespace snarl::runtime
