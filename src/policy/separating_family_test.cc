// The family separates for every choice, and is as small as it says.
#include "policy/separating_family.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <vector>

namespace snarl::policy {
namespace {

// Which subsets hold the element, as bits.
using Holders = std::array<uint64_t, 4>;

std::vector<Holders> holders(const SeparatingFamily& family, uint64_t n) {
  std::vector<Holders> result(n);
  for (uint64_t element = 0; element < n; ++element)
    for (uint64_t subset = 0; subset < family.size(); ++subset)
      if (family.has(subset, element)) result[element][subset / 64] |= uint64_t{1} << subset % 64;
  return result;
}

Holders good(const Holders& a, const Holders& b) {
  Holders both;
  for (size_t i = 0; i < both.size(); ++i) both[i] = a[i] & b[i];
  return both;
}

bool avoids(const Holders& held, const Holders& bad1, const Holders& bad2) {
  uint64_t any = 0;
  for (size_t i = 0; i < held.size(); ++i) any |= held[i] & ~bad1[i] & ~bad2[i];
  return any != 0;
}

TEST(SeparatingFamily, SeparatesOneFromOne) {
  for (uint64_t n = 2; n <= 1000; ++n) {
    const SeparatingFamily family(n, 1);
    ASSERT_EQ(family.size(), 2 * static_cast<uint64_t>(std::bit_width(n - 1))) << n;
    if (n > 64 && n % 97 != 0) continue;
    const std::vector<Holders> of = holders(family, n);
    for (uint64_t g = 0; g < n; ++g)
      for (uint64_t b = 0; b < n; ++b)
        ASSERT_TRUE(g == b || avoids(of[g], of[b], of[b])) << n << ": " << g << " from " << b;
  }
}

// Figure 4: of 16 events, the good 11 is separated from the bad 3 by the complement of S4 or its like.
TEST(SeparatingFamily, IsTheOneOfFigureFour) {
  const SeparatingFamily family(16, 1);
  ASSERT_EQ(family.size(), 8u);
  for (uint64_t bit = 0; bit < 4; ++bit)
    for (uint64_t e = 0; e < 16; ++e) {
      EXPECT_EQ(family.has(2 * bit, e), (e >> bit & 1) == 1);
      EXPECT_EQ(family.has(2 * bit + 1, e), (e >> bit & 1) == 0);
    }
  EXPECT_TRUE(family.has(6, 11) && !family.has(6, 3));
}

// All choices of at most two good and at most two bad ones, for every n.
TEST(SeparatingFamily, SeparatesTwoFromTwo) {
  for (uint64_t n = 2; n <= 64; ++n) {
    const SeparatingFamily family(n, 2);
    ASSERT_LE(family.size(), 240u) << n;
    const std::vector<Holders> of = holders(family, n);
    for (uint64_t g1 = 0; g1 < n; ++g1)
      for (uint64_t g2 = g1; g2 < n; ++g2) {
        const Holders held = good(of[g1], of[g2]);
        for (uint64_t b1 = 0; b1 < n; ++b1) {
          if (b1 == g1 || b1 == g2) continue;
          for (uint64_t b2 = b1; b2 < n; ++b2)
            ASSERT_TRUE(b2 == g1 || b2 == g2 || avoids(held, of[b1], of[b2]))
                << n << ": " << g1 << "," << g2 << " from " << b1 << "," << b2;
        }
      }
  }
}

TEST(SeparatingFamily, GrowsSlowly) {
  EXPECT_EQ(SeparatingFamily(64, 2).size(), 70u);
  EXPECT_EQ(SeparatingFamily(512, 2).size(), 126u);
  EXPECT_EQ(SeparatingFamily(65'536, 2).size(), 390u);
}

// A larger one, by choices that are drawn: the argument of the header does not depend on n.
TEST(SeparatingFamily, SeparatesTwoFromTwoOfMany) {
  constexpr uint64_t n = 5000;
  const SeparatingFamily family(n, 2);
  uint64_t state = 1;
  const auto draw = [&] { return (state = state * 6364136223846793005 + 1442695040888963407) >> 33; };
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t g1 = draw() % n, g2 = draw() % n, b1 = draw() % n, b2 = draw() % n;
    if (g1 == b1 || g1 == b2 || g2 == b1 || g2 == b2) continue;
    bool separated = false;
    for (uint64_t s = 0; s < family.size() && !separated; ++s)
      separated = family.has(s, g1) && family.has(s, g2) && !family.has(s, b1) && !family.has(s, b2);
    ASSERT_TRUE(separated) << g1 << "," << g2 << " from " << b1 << "," << b2;
  }
}

// Nothing to separate: a run still has a subset, and the group is in one of two.
TEST(SeparatingFamily, OfOneOrNone) {
  for (int k : {1, 2})
    for (uint64_t n : {0u, 1u}) {
      const SeparatingFamily family(n, k);
      ASSERT_EQ(family.size(), 2u);
      EXPECT_NE(family.has(0, 0), family.has(1, 0));
    }
}

}  // namespace
}  // namespace snarl::policy
