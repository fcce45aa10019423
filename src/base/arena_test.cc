#include "base/arena.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace snarl {
namespace {

struct alignas(64) Line {
  char bytes[64];
};

template <typename T>
bool is_aligned(const T* p) {
  return reinterpret_cast<uintptr_t>(p) % alignof(T) == 0;
}

// From every possible misalignment of the memory, objects of mixed alignments are aligned and do not overlap.
TEST(Arena, AlignsEverythingFromEveryOffset) {
  alignas(64) static char memory[8192];
  for (size_t offset = 0; offset < 64; ++offset) {
    Arena arena(memory + offset, 4096);
    Rng rng(offset);
    const char* end = memory + offset;
    const auto check = [&](const auto* p, size_t bytes) {
      EXPECT_TRUE(is_aligned(p));
      EXPECT_GE(reinterpret_cast<const char*>(p), end);
      end = reinterpret_cast<const char*>(p) + bytes;
      EXPECT_LE(end, memory + offset + 4096);
    };
    for (int i = 0; i < 20; ++i) {
      switch (rng.below(4)) {
        case 0: check(arena.make<char>('x'), 1); break;
        case 1: check(arena.make<uint64_t>(7u), 8); break;
        case 2: check(arena.make<Line>(), sizeof(Line)); break;
        case 3: check(arena.array<uint16_t>(5).data(), 10); break;
      }
    }
  }
}

TEST(Arena, ArraysAreZeroedInDirtyMemory) {
  std::vector<char> memory(1024, '\xee');
  Arena arena(memory.data(), memory.size());
  for (uint64_t word : arena.array<uint64_t>(100)) EXPECT_EQ(word, 0u);
  EXPECT_TRUE(arena.array<int>(0).empty());
}

TEST(Arena, ResetGivesTheSameMemoryAgain) {
  std::vector<char> memory(256);
  Arena arena(memory.data(), memory.size());
  int* first = arena.make<int>(1);
  arena.make<Line>();
  arena.reset();
  EXPECT_EQ(arena.make<int>(2), first);
}

TEST(Arena, TheLastByteCanBeUsed) {
  alignas(8) char memory[16];
  Arena arena(memory, sizeof memory);
  EXPECT_EQ(arena.array<uint64_t>(2).size(), 2u);
}

TEST(ArenaDeathTest, ExhaustionIsOurBug) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  alignas(8) char memory[16];
  Arena arena(memory, sizeof memory);
  arena.make<char>();
  EXPECT_EXIT(arena.array<uint64_t>(2), testing::ExitedWithCode(125), "internal error.*arena.h");
}

}  // namespace
}  // namespace snarl
