#include "base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>
#include <vector>

#include "base/test_statistics.h"

namespace snarl {
namespace {

// The authors' test vector of xoshiro256** (state 1, 2, 3, 4).
TEST(Rng, IsXoshiro256StarStar) {
  Rng rng = std::bit_cast<Rng>(std::array<uint64_t, 4>{1, 2, 3, 4});
  for (uint64_t expected :
       {11520ull, 0ull, 1509978240ull, 1215971899390074240ull, 1216172134540287360ull, 607988272756665600ull,
        16172922978634559625ull, 8476171486693032832ull, 10595114339597558777ull, 2904607092377533576ull})
    EXPECT_EQ(rng.next(), expected);
}

TEST(Rng, TheFirstNumberIsKnownWithoutTheState) {
  for (uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{0x458c513cf636d859}, ~uint64_t{0}})
    EXPECT_EQ(Rng::first(seed), Rng(seed).next()) << seed;
}

// The authors' test vector of splitmix64 (seed 1234567): its n-th value is mix64(seed + n * gamma).
TEST(Hash, Mix64IsSplitmix64) {
  uint64_t state = 1234567;
  for (uint64_t expected : {6457827717110365317ull, 3203168211198807973ull, 9817491932198370423ull,
                            4593380528125082431ull, 16408922859458223821ull}) {
    EXPECT_EQ(mix64(state), expected);
    state += 0x9e3779b97f4a7c15;
  }
}

// Our own seeding, frozen: a change here changes what every seed:index means.
TEST(Rng, StreamsAreGolden) {
  const auto first = [](Stream stream) { return Rng(0x5eed, 9120, stream).next(); };
  EXPECT_EQ(Rng(0).next(), 0x99ec5f36cb75f2b4);
  EXPECT_EQ(Rng(42).next(), 0x15780b2e0c2ec716);
  EXPECT_EQ(first(Stream::kPolicy), 0x63667f2240b7b4eb);
  EXPECT_EQ(first(Stream::kModel), 0xeb281b4d1984ff45);
  EXPECT_EQ(first(Stream::kFairness), 0x4a78a4c453ec3479);
  EXPECT_EQ(first(Stream::kSearch), 0x2ffe02c8eaf58a52);
  Rng rng(7);
  uint64_t hash = 0;
  for (int i = 0; i < 1000; ++i) hash = combine(hash, rng.next());
  EXPECT_EQ(hash, 0x398a4b43b593f74b);
  hash = 0;
  for (uint64_t bound = 1; bound <= 1000; ++bound) hash = combine(hash, rng.below(bound));
  EXPECT_EQ(hash, 0xa57633be1f52044b);
}

TEST(Hash, NamesAreGolden) {
  EXPECT_EQ(hash_text(""), 0u);
  EXPECT_EQ(hash_text("snarl"), 0xd8701889591fdc5a);
  EXPECT_EQ(name_of_child(kMainName, 0), 0xdcdb16f94459de42);
  EXPECT_EQ(name_of_child(name_of_child(kMainName, 2), 1), 0x94b10822a30d4c22);
}

TEST(Hash, NamesOfADeepAndWideFamilyDiffer) {
  std::set<uint64_t> names = {kMainName};
  std::vector<uint64_t> parents = {kMainName};
  while (names.size() < 100'000) {
    std::vector<uint64_t> children;
    for (uint64_t parent : parents)
      for (uint32_t nth = 0; nth < 10; ++nth) children.push_back(name_of_child(parent, nth));
    for (uint64_t child : children) EXPECT_TRUE(names.insert(child).second);
    parents = std::move(children);
  }
}

// Neighbouring seeds, indices and streams share no value among their first hundred.
TEST(Rng, NeighboursDiffer) {
  std::set<uint64_t> seen;
  size_t drawn = 0;
  for (uint64_t seed = 0; seed < 10; ++seed)
    for (uint64_t index = 0; index < 10; ++index)
      for (uint64_t stream = 1; stream <= 4; ++stream) {
        Rng rng(seed, index, static_cast<Stream>(stream));
        for (int i = 0; i < 100; ++i, ++drawn) seen.insert(rng.next());
      }
  EXPECT_EQ(seen.size(), drawn);
}

TEST(Rng, BelowIsUniform) {
  Rng rng(3);
  for (uint64_t bound : {2u, 3u, 5u, 7u, 10u, 24u, 100u, 1000u}) {
    std::vector<uint64_t> counts(bound);
    for (int i = 0; i < 200'000; ++i) {
      const uint64_t value = rng.below(bound);
      ASSERT_LT(value, bound);
      ++counts[value];
    }
    EXPECT_GT(uniform_tail(counts), kByLuck) << bound;
  }
  EXPECT_EQ(rng.below(1), 0u);
}

// Without the rejection, bounds near 2^64 are grossly biased: of 3 * 2^62, each third value would come twice as often.
TEST(Rng, BelowIsUniformForHugeBounds) {
  Rng rng(4);
  const uint64_t bound = 3ull << 62;
  uint64_t thirds[3] = {}, rests[3] = {};
  for (int i = 0; i < 300'000; ++i) {
    const uint64_t value = rng.below(bound);
    ASSERT_LT(value, bound);
    ++thirds[value >> 62];
    ++rests[value % 3];
  }
  EXPECT_GT(uniform_tail(thirds), kByLuck);
  EXPECT_GT(uniform_tail(rests), kByLuck);
}

// The first draw of run after run, as a policy takes it: index after index, one value each.
TEST(Rng, FirstDrawsOverIndicesAreUniform) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    std::vector<uint64_t> counts(6 * 6);
    for (uint64_t index = 0; index < 200'000; ++index) {
      Rng rng(seed, index, Stream::kPolicy);
      const uint64_t first = rng.below(6);
      ++counts[first * 6 + rng.below(6)];
    }
    EXPECT_GT(uniform_tail(counts), kByLuck) << seed;
  }
}

}  // namespace
}  // namespace snarl
