#include "policy/hold.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace snarl::policy {
namespace {

constexpr uint64_t kA = 100, kB = 200, kOther = 300;
constexpr SitePair kPair{kA, kB};

// A run of hold with one constraint, whose threads are moved by hand.
class HoldTest : public ::testing::Test {
 protected:
  void begin(uint64_t index, std::span<const SitePair> pairs = {&kPair, 1}, uint64_t turn = 0) {
    snarl::Run run;
    run.key.seed = 7;
    run.key.index = index;
    run.key.turn = turn;
    run.key.profile.steps = 1000;
    run.pairs = pairs;
    arena_.reset();
    hold_ = arena_.make<Hold>();
    Plan plan;
    EXPECT_FALSE(hold_->begin(run, arena_, plan));
    view_ = View();
    view_.slots = slots_.data();
    add(0);
  }

  void add(ThreadId t) {
    view_.live.add(t);
    view_.enabled.add(t);
    view_.last = 0;
    if (t != 0) hold_->spawned(view_, t);
  }

  void arrive(ThreadId t, uint64_t site, uint64_t object = 1) {
    slots_[t].pending = Op{.kind = OpKind::kWrite, .object = object};
    hold_->arrived({.thread = t, .site = site, .op = slots_[t].pending});
  }

  void step(ThreadId t) {
    view_.last = t;
    view_.did = slots_[t].pending;
    hold_->stepped({.thread = t, .op = slots_[t].pending}, true);
  }

  ThreadId decide() {
    Verdict verdict;
    verdict.clear();
    hold_->decide(view_, verdict);
    return verdict.first;
  }

  std::vector<char> memory_ = std::vector<char>(1 << 20);
  Arena arena_{memory_.data(), memory_.size()};
  std::vector<Slot> slots_ = std::vector<Slot>(kMaxSlots);
  Hold* hold_ = nullptr;
  View view_;
};

TEST_F(HoldTest, NobodyAtAIsChosenWhileAnotherCanRun) {
  for (uint64_t index = 0; index < 200; ++index) {
    begin(index);
    add(1), add(2);
    arrive(0, kOther, 9), arrive(1, kA), arrive(2, kOther, 8);
    for (int i = 0; i < 5; ++i) ASSERT_NE(decide(), 1) << index;
  }
}

TEST_F(HoldTest, BOnTheSameObjectReleasesThreadsAtA) {
  std::set<ThreadId> chosen;
  for (uint64_t index = 0; index < 200; ++index) {
    begin(index);
    add(1), add(2);
    arrive(0, kOther, 9), arrive(1, kA), arrive(2, kB);
    step(2);
    arrive(2, kOther, 8);
    chosen.insert(decide());
  }
  EXPECT_EQ(chosen, (std::set<ThreadId>{0, 1, 2}));
}

// B before anybody waits, B while somebody waits for another object: some constraints end by it, and some do not.
TEST_F(HoldTest, WhichExecutionOfBCountsIsDrawn) {
  int early = 0, elsewhere = 0;
  for (uint64_t index = 0; index < 300; ++index) {
    begin(index);
    add(1), add(2);
    arrive(0, kB, 9);
    step(0);
    arrive(0, kOther, 9), arrive(1, kA), arrive(2, kOther, 8);
    for (int i = 0; i < 30; ++i)
      if (decide() == 1) {
        ++early;
        break;
      }
    begin(index);
    add(1), add(2);
    arrive(0, kB, 9), arrive(1, kA), arrive(2, kOther, 8);
    step(0);
    arrive(0, kOther, 9);
    for (int i = 0; i < 30; ++i)
      if (decide() == 1) {
        ++elsewhere;
        break;
      }
  }
  EXPECT_GT(early, 10);
  EXPECT_GT(elsewhere, early + 10);
  EXPECT_LT(elsewhere, 290);
}

TEST_F(HoldTest, WhenAllAreHeldOneGoes) {
  std::set<ThreadId> chosen;
  int stays = 0;
  for (uint64_t index = 0; index < 200; ++index) {
    begin(index);
    add(1), add(2);
    for (ThreadId t = 0; t < 3; ++t) arrive(t, kA);
    const ThreadId first = decide();
    chosen.insert(first);
    step(first);
    arrive(first, kOther, 5);
    bool others = false;
    for (int i = 0; i < 30; ++i) others |= decide() != first;
    stays += others ? 0 : 1;
  }
  EXPECT_EQ(chosen, (std::set<ThreadId>{0, 1, 2}));
  EXPECT_GT(stays, 50);
  EXPECT_LT(stays, 150);
}

// It would come only because a thread is not let run.
TEST_F(HoldTest, NoDeadlineComesWhileAThreadIsHeld) {
  std::set<ThreadId> all_held, one_free;
  for (uint64_t index = 0; index < 100; ++index) {
    begin(index);
    add(1);
    arrive(0, kA), arrive(1, kA);
    view_.enabled.add(timer_of(1));
    all_held.insert(decide());
    begin(index);
    add(1);
    slots_[0].pending.timed = true;
    hold_->arrived({.thread = 0, .site = kOther, .op = slots_[0].pending});
    arrive(1, kA);
    view_.enabled.add(timer_of(0));
    one_free.insert(decide());
  }
  EXPECT_EQ(all_held, (std::set<ThreadId>{0, 1}));
  EXPECT_EQ(one_free, (std::set<ThreadId>{0}));
}

TEST_F(HoldTest, AfterItsPatienceNobodyIsHeld) {
  begin(1);
  add(1);
  arrive(0, kOther, 9), arrive(1, kA);
  view_.step = 4 * 1000 + 201;
  std::set<ThreadId> chosen;
  for (int i = 0; i < 50; ++i) chosen.insert(decide());
  EXPECT_EQ(chosen.size(), 2u);
}

// A pair and its reverse in one run would hold everybody: then it would be drawn who goes.
TEST_F(HoldTest, TwoConstraintsNeverWaitForEachOther) {
  const SitePair both[] = {{kA, kB}, {kB, kA}};
  std::set<ThreadId> free;
  for (uint64_t index = 0; index < 100; ++index) {
    begin(index, both, 1);
    add(1);
    arrive(0, kA), arrive(1, kB);
    const ThreadId first = decide();
    for (int i = 0; i < 30; ++i) ASSERT_EQ(decide(), first) << index;
    free.insert(first);
  }
  EXPECT_EQ(free.size(), 1u) << "the first round of draws goes in order";
}

}  // namespace
}  // namespace snarl::policy
