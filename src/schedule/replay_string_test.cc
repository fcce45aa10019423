#include "schedule/replay_string.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"

namespace snarl {
namespace {

Replay example() {
  Replay replay{0x5eed, 42, test_hash("Queue.Works"), {}};
  replay.switches.push_back({.step = 3, .from = 0, .to = 1, .kind = OpKind::kLock});
  replay.switches.push_back({.step = 300, .from = 1, .to = 2 | kTimerBit, .kind = OpKind::kAfter});
  replay.switches.push_back({.step = 301, .from = 0, .to = 5 | kTimerBit | kAlarmBit, .kind = OpKind::kUnlock});
  replay.points = kDefaultPoints;
  return replay;
}

void expect_same(const Replay& a, const Replay& b) {
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.test, b.test);
  ASSERT_EQ(a.switches.size(), b.switches.size());
  for (size_t i = 0; i < a.switches.size(); ++i) {
    EXPECT_EQ(a.switches[i].step, b.switches[i].step);
    EXPECT_EQ(a.switches[i].from, b.switches[i].from);
    EXPECT_EQ(a.switches[i].to, b.switches[i].to);
    EXPECT_EQ(a.switches[i].kind, b.switches[i].kind);
  }
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.places, b.places);
}

TEST(ReplayString, ComesBack) {
  const std::string text = to_replay_string(example());
  EXPECT_EQ(text.substr(0, 4), "SN2-");
  EXPECT_LT(text.size(), 52u);
  const Expected<Replay> back = parse_replay_string(text);
  ASSERT_TRUE(back);
  expect_same(*back, example());
}

TEST(ReplayString, ComesBackWhateverIsInIt) {
  Rng rng(7);
  for (int round = 0; round < 500; ++round) {
    Replay replay{rng.next() >> rng.below(64), rng.next() >> rng.below(64), static_cast<uint16_t>(rng.next()), {}};
    Step step = 0;
    for (uint64_t i = rng.below(40); i > 0; --i) {
      step += rng.next() >> (20 + rng.below(44));
      replay.switches.push_back({.step = step,
                                 .from = static_cast<uint32_t>(rng.next() >> (32 + rng.below(32))),
                                 .to = static_cast<uint32_t>(rng.next() >> (32 + rng.below(32))),
                                 .kind = static_cast<OpKind>(rng.below(static_cast<uint64_t>(OpKind::kCount)))});
    }
    replay.points = static_cast<PointSet>(rng.below(64));
    for (uint64_t i = rng.below(20); i > 0; --i)
      replay.places.push_back({rng.below(3) << 61 | rng.below(2), rng.below(1 << 20)});
    std::ranges::sort(replay.places);
    const Expected<Replay> back = parse_replay_string(to_replay_string(replay));
    ASSERT_TRUE(back);
    expect_same(*back, replay);
  }
}

// A sum of 16 bits: one damage in 65,536 goes unseen. These are fixed ones, and are seen.
TEST(ReplayString, DamageIsNoticed) {
  const std::string text = to_replay_string(example());
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = damaged[i] == 'x' ? 'y' : 'x';
    const Expected<Replay> parsed = parse_replay_string(damaged);
    if (!parsed)
      EXPECT_EQ(parsed.error().exit_code, 2);
    else
      expect_same(*parsed, example());  // the bits behind the last byte mean nothing
    EXPECT_FALSE(parse_replay_string(text.substr(0, i)));
  }
}

TEST(ReplayString, WhatIsNone) {
  EXPECT_FALSE(parse_replay_string(""));
  EXPECT_FALSE(parse_replay_string("SN2-"));
  EXPECT_FALSE(parse_replay_string("SN2-AAAA"));
  EXPECT_FALSE(parse_replay_string("SN2-!!!!"));
}

// What was printed when a yield let everybody else go first.
TEST(ReplayString, OtherRulesAreRefusedWithASentence) {
  const std::string old = "SN1" + to_replay_string(example()).substr(3);
  const Expected<Replay> parsed = parse_replay_string(old);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().message,
            "the replay string is of version 1 of the step rules, but this snarl follows version 2");
  EXPECT_EQ(parsed.error().exit_code, 2);
  EXPECT_FALSE(parse_replay_string("SN3-AAAA"));
}

}  // namespace
}  // namespace snarl
