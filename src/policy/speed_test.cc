// What a speed vector is: as it is written, and as algorithm 1 samples it.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "policy/catalog.h"
#include "policy/speed_vector.h"

namespace snarl::policy {
namespace {

TEST(SpeedList, ReadsSpeedsAndChanges) {
  SpeedList list;
  ASSERT_TRUE(list.read("1,0.5,.25@40:0.000001,1@41:1"));
  ASSERT_EQ(list.parts(), 3u);
  EXPECT_EQ(std::vector<double>(list.speeds(0).begin(), list.speeds(0).end()), (std::vector<double>{1, 0.5, 0.25}));
  EXPECT_EQ(list.from(1), 40u);
  EXPECT_EQ(list.speeds(1)[0], 0.000001);
  EXPECT_EQ(list.from(2), 41u);
  EXPECT_EQ(list.speeds(2).size(), 1u);
}

TEST(SpeedList, RefusesWhatIsNoList) {
  for (const char* text :
       {"",      ",",  "1,",  "0",    "1,0",       "1.5",       "-1",   "1e-3", "1..2",
        ".",     "1@", "1@4", "1@4:", "1@4:1@4:1", "1@9:1@8:1", "1 ,1", "1,1x", "0.00000000000000001",
        "1@x:1", "1:2"})
    EXPECT_FALSE(SpeedList().read(text)) << text;
  std::string many = "1";
  for (int i = 0; i < 200; ++i) many += ",1";
  EXPECT_FALSE(SpeedList().read(many.c_str()));
  std::string parts = "1";
  for (int i = 1; i < 20; ++i) parts += "@" + std::to_string(i) + ":1";
  EXPECT_FALSE(SpeedList().read(parts.c_str()));
}

TEST(BasisList, ReadsDifferentThreads) {
  BasisList list;
  ASSERT_TRUE(list.read("2,0,11"));
  EXPECT_EQ(std::vector<uint32_t>(list.threads().begin(), list.threads().end()), (std::vector<uint32_t>{2, 0, 11}));
  ASSERT_TRUE(list.read("auto"));
  EXPECT_TRUE(list.threads().empty());
  for (const char* text : {"", "0", "0,0", "0,1,", "autos", "a", "0,1,2,3,4,5,6,7,8", "-1,2", "4294967296,1"})
    EXPECT_FALSE(BasisList().read(text)) << text;
}

// As a table that was written by hand from the algorithm.
TEST(SampledPair, AreThePapersFortyTwoInOrder) {
  ASSERT_EQ(sampled_vectors(3, 7), 42u);
  EXPECT_EQ(sampled_vectors(2, 7), 14u);
  EXPECT_EQ(sampled_vectors(4, 2), 24u);
  constexpr size_t kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  constexpr double kSpeeds[14][2] = {{1, 1. / 2},         {1, 1. / 4},         {1, 1. / 8},        {1, 1. / 16},
                                     {1, 1. / 32},        {1, 1. / 64},        {1, 1. / 128},      {1. / 128, 1. / 64},
                                     {1. / 128, 1. / 32}, {1. / 128, 1. / 16}, {1. / 128, 1. / 8}, {1. / 128, 1. / 4},
                                     {1. / 128, 1. / 2},  {1. / 128, 1}};
  for (uint64_t nth = 0; nth < 42; ++nth) {
    const SpeedPair pair = sampled_pair(nth, 3, 7);
    EXPECT_EQ(pair.first, kPairs[nth / 14][0]) << nth;
    EXPECT_EQ(pair.second, kPairs[nth / 14][1]) << nth;
    EXPECT_EQ(pair.first_speed, kSpeeds[nth % 14][0]) << nth;
    EXPECT_EQ(pair.second_speed, kSpeeds[nth % 14][1]) << nth;
  }
}

TEST(SampledPair, CoversEveryPairOfLargerBases) {
  std::set<std::pair<size_t, size_t>> pairs;
  std::set<std::vector<double>> all;
  for (uint64_t nth = 0; nth < sampled_vectors(5, 3); ++nth) {
    const SpeedPair pair = sampled_pair(nth, 5, 3);
    ASSERT_LT(pair.first, pair.second);
    ASSERT_LT(pair.second, 5u);
    ASSERT_NE(pair.first_speed, pair.second_speed);
    pairs.emplace(pair.first, pair.second);
    all.insert(
        {static_cast<double>(pair.first), static_cast<double>(pair.second), pair.first_speed, pair.second_speed});
  }
  EXPECT_EQ(pairs.size(), 10u);
  EXPECT_EQ(all.size(), sampled_vectors(5, 3));
}

class VectorOfARun : public ::testing::Test {
 protected:
  snarl::Run run_of(uint64_t turn, SpeedText text = SpeedText::kNone, const std::string& value = "") {
    snarl::Run run;
    run.key = {.seed = 3, .index = turn, .turn = turn, .profile = {.threads = 5}};
    run.key.policy = default_spec(policy_catalog()[static_cast<size_t>(policy_named("speed"))]);
    run.key.policy.given = static_cast<uint32_t>(text);
    value.copy(run.key.policy.file, value.size());
    return run;
  }
  const SpeedVector& begin(const snarl::Run& run) {
    arena_.reset();
    vector_.begin(run, arena_);
    return vector_;
  }

 private:
  alignas(16) char memory_[8192];
  Arena arena_{memory_, sizeof memory_};
  SpeedVector vector_;
};

TEST_F(VectorOfARun, WithoutAProfileTheFirstThreeThreadsAreTheBasis) {
  const SpeedVector& vector = begin(run_of(15));
  EXPECT_EQ(vector.of(0, 77), 1);
  EXPECT_EQ(vector.of(2, 5), 0.25);
  EXPECT_GT(vector.of(1, 4), 0);
  EXPECT_LE(vector.of(1, 4), 1);
  EXPECT_EQ(vector.of(1, 4), vector.of(9, 4)) << "a random speed is the name's, not the order's";
}

TEST_F(VectorOfARun, TheProfileSaysWhichThreadsAreBusiest) {
  const ThreadCount counts[] = {{10, 0, 900}, {20, 10, 5}, {30, 10, 50}, {40, 10, 7}};
  snarl::Run run = run_of(28);  // the first of the pair of workers
  run.counts.threads = counts;
  const SpeedVector& vector = begin(run);
  EXPECT_EQ(vector.of(2, 30), 1);
  EXPECT_EQ(vector.of(3, 40), 0.5);
  EXPECT_NE(vector.of(1, 20), 1);
  EXPECT_NE(vector.of(0, 10), 1);
}

TEST_F(VectorOfARun, ABasisByHandStands) {
  const SpeedVector& vector = begin(run_of(13, SpeedText::kBasis, "4,2"));
  EXPECT_EQ(vector.of(4, 1), 1. / 128);
  EXPECT_EQ(vector.of(2, 1), 1);
}

TEST_F(VectorOfARun, AfterTheSampledOnesAllSpeedsAreRandom) {
  std::set<double> seen;
  double sum = 0;
  constexpr int kRuns = 4000;
  for (uint64_t turn = 42; turn < 42 + kRuns; ++turn) {
    const SpeedVector& vector = begin(run_of(turn));
    for (uint32_t t = 0; t < 3; ++t) {
      const double speed = vector.of(t, t + 100);
      ASSERT_GT(speed, 0);
      ASSERT_LE(speed, 1);
      seen.insert(speed);
      sum += speed;
    }
  }
  EXPECT_EQ(seen.size(), 3u * kRuns);
  EXPECT_NEAR(sum / (3 * kRuns), 0.5, 0.017) << "six standard deviations of the mean of so many uniform draws";
}

TEST_F(VectorOfARun, ByHandTheSpeedsMayChange) {
  snarl::Run run = run_of(0, SpeedText::kVector, "1,0.5@7:0.125,0.25");
  begin(run);
  SpeedVector vector = begin(run);
  EXPECT_EQ(vector.of(1, 9), 0.5);
  EXPECT_EQ(vector.next_change(), 7u);
  vector.next_part();
  EXPECT_EQ(vector.of(1, 9), 0.25);
  EXPECT_EQ(vector.next_change(), SpeedVector::kNoStep);
  EXPECT_NE(vector.of(2, 9), 1) << "threads that the list does not have draw theirs";
}

}  // namespace
}  // namespace snarl::policy
