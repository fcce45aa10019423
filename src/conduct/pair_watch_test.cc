#include "conduct/pair_watch.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "base/rng.h"
#include "conduct/sites.h"

namespace snarl::conduct {
namespace {

struct Step {
  ThreadId thread;
  OpKind kind;
  uint64_t object;
  uint64_t site;
};

class PairWatchTest : public ::testing::Test {
 protected:
  // The pairs of a run, as the definition says, by looking at all pairs of accesses.
  static std::set<SitePair> reference(const std::vector<Step>& steps) {
    std::set<SitePair> pairs;
    for (const Step& a : steps)
      for (const Step& b : steps) {
        const Op x{.kind = a.kind}, y{.kind = b.kind};
        if (a.object != b.object || a.site == b.site || takes_lock(x) != takes_lock(y)) continue;
        if (access_of(x) != Access::kWrite && access_of(y) != Access::kWrite) continue;
        std::set<ThreadId> threads;
        for (const Step& c : steps)
          if (c.object == a.object && (c.site == a.site || c.site == b.site)) threads.insert(c.thread);
        if (threads.size() > 1) pairs.insert({a.site, b.site});
      }
    return pairs;
  }

  static bool takes_lock(const Op& op) { return is_acquisition(op) || op.kind == OpKind::kReacquire; }

  std::set<SitePair> watch(const std::vector<Step>& steps) {
    Arena arena(memory_.data(), memory_.size());
    watch_->begin(arena, {room_, &met_});
    for (const Step& step : steps)
      watch_->stepped(step.thread, Op{.kind = step.kind, .object = step.object, .second = step.object}, step.site);
    return {room_.begin(), room_.begin() + met_};
  }

  std::vector<char> memory_ = std::vector<char>(1 << 20);
  std::vector<SitePair> room_ = std::vector<SitePair>(kMaxPairs);
  uint32_t met_ = 0;
  std::unique_ptr<PairWatch> watch_ = std::make_unique<PairWatch>();
};

TEST_F(PairWatchTest, ListsWhatTheDefinitionSays) {
  constexpr OpKind kKinds[] = {OpKind::kRead,    OpKind::kWrite,     OpKind::kLock,
                               OpKind::kTryLock, OpKind::kReacquire, OpKind::kSignal};
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Step> steps;
    for (int i = 0; i < 30; ++i) {
      const uint64_t kind = rng.below(std::size(kKinds));
      steps.push_back(
          {static_cast<ThreadId>(rng.below(3)), kKinds[kind], 1 + rng.below(4), 1 + kind * 10 + rng.below(3)});
    }
    met_ = 0;
    ASSERT_EQ(watch(steps), reference(steps)) << round;
  }
}

TEST_F(PairWatchTest, ListsNothingAgain) {
  const std::vector<Step> steps = {{0, OpKind::kRead, 1, 7}, {1, OpKind::kWrite, 1, 8}};
  watch(steps);
  EXPECT_EQ(met_, 2u);
  watch(steps);
  EXPECT_EQ(met_, 2u);
  watch({{0, OpKind::kRead, 1, 7}, {1, OpKind::kWrite, 1, 9}});
  EXPECT_EQ(met_, 4u);
}

TEST_F(PairWatchTest, StopsWhenThereIsNoMoreRoom) {
  room_.resize(3);
  watch({{0, OpKind::kRead, 1, 7}, {1, OpKind::kWrite, 1, 8}, {2, OpKind::kWrite, 1, 9}});
  EXPECT_EQ(met_, 3u);
}

TEST_F(PairWatchTest, IsOffWithoutAList) {
  Arena arena(memory_.data(), memory_.size());
  watch_->begin(arena, {});
  EXPECT_FALSE(watch_->is_on());
}

class SitesTest : public ::testing::Test {
 protected:
  SitesTest() {
    sites_->begin(arena_, {[](uint64_t pc) { return pc * 3; }, [](uint64_t) { return caller; }});
  }

  uint64_t name(OpKind kind, uint64_t pc) { return sites_->name(Op{.kind = kind, .object = 1, .pc = pc}); }

  static inline uint64_t caller = 0;
  std::vector<char> memory_ = std::vector<char>(1 << 20);
  Arena arena_{memory_.data(), memory_.size()};
  std::unique_ptr<Sites> sites_ = std::make_unique<Sites>();
};

TEST_F(SitesTest, APlaceAndAKindAreASite) {
  EXPECT_NE(name(OpKind::kRead, 10), name(OpKind::kWrite, 10));
  EXPECT_NE(name(OpKind::kRead, 10), name(OpKind::kRead, 11));
  EXPECT_EQ(name(OpKind::kRead, 10), name(OpKind::kRead, 10));
  EXPECT_EQ(name(OpKind::kUnlock, 10), 0u) << "accesses nothing";
}

TEST_F(SitesTest, CallsAreToldApartByTheirCallersAndAccessesAreNot) {
  caller = 1;
  const uint64_t lock = name(OpKind::kLock, 10), read = name(OpKind::kRead, 10);
  caller = 2;
  EXPECT_NE(name(OpKind::kLock, 10), lock);
  EXPECT_EQ(name(OpKind::kRead, 10), read);
  caller = 1;
  EXPECT_EQ(name(OpKind::kLock, 10), lock);
}

TEST_F(SitesTest, BeyondItsRoomASiteHasNoName) {
  for (uint64_t pc = 1; pc <= Sites::kRoom; ++pc) ASSERT_NE(name(OpKind::kRead, pc), 0u);
  EXPECT_EQ(name(OpKind::kRead, Sites::kRoom + 1), 0u);
  EXPECT_NE(name(OpKind::kRead, 1), 0u);
}

}  // namespace
}  // namespace snarl::conduct
