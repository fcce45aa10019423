#include "base/dense_index.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace snarl {
namespace {

// Against a map, with few hashes, so that many keys share one.
TEST(DenseIndex, FindsWhatAMapFinds) {
  std::mt19937_64 random(1);
  const auto index = std::make_unique<DenseIndex<256>>();
  for (int round = 0; round < 50; ++round) {
    index->clear();
    std::vector<uint64_t> keys;
    std::map<uint64_t, size_t> expected;
    for (int i = 0; i < 400; ++i) {
      const uint64_t key = random() % 200, hash = key % 17;
      const auto is_it = [&](size_t n) { return keys[n] == key; };
      const auto known = expected.find(key);
      ASSERT_EQ(index->find(hash, is_it), known == expected.end() ? DenseIndex<256>::kNone : known->second);
      if (known != expected.end() || keys.size() == DenseIndex<256>::kMostEntries) continue;
      ASSERT_EQ(index->find_or_add(hash, keys.size(), is_it), keys.size());
      expected[key] = keys.size();
      keys.push_back(key);
    }
  }
}

TEST(DenseIndex, AddsNothingTwice) {
  const auto index = std::make_unique<DenseIndex<64>>();
  index->clear();
  EXPECT_EQ(index->find_or_add(5, 0, [](size_t) { return false; }), 0u);
  EXPECT_EQ(index->find_or_add(5, 1, [](size_t n) { return n == 0; }), 0u);
  EXPECT_EQ(index->find_or_add(5, 1, [](size_t) { return false; }), 1u);
}

}  // namespace
}  // namespace snarl
