// The witness is libc's malloc: which blocks it gives.
#include "runtime/fiber/heap_cache.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <thread>

namespace snarl::runtime::fiber {
namespace {

constexpr size_t kSize = 600;

TEST(HeapCache, IsWhereAFreedBlockIsKept) {
  const uint64_t* word = pointer_to_heap_cache();
  ASSERT_NE(word, nullptr) << "this libc keeps it elsewhere";
  void* block = malloc(kSize);
  const auto address = reinterpret_cast<uint64_t>(block);
  free(block);
  const auto* cache = reinterpret_cast<const uint64_t*>(*word);
  bool found = false;
  for (int i = 0; i < 128; ++i) found |= cache[i] == address;
  EXPECT_TRUE(found);
}

TEST(HeapCache, EachThreadHasItsOwn) {
  const uint64_t* ours = pointer_to_heap_cache();
  std::thread([ours] {
    free(malloc(kSize));  // it has one from here on
    EXPECT_NE(pointer_to_heap_cache(), ours);
    EXPECT_NE(*pointer_to_heap_cache(), *ours);
  }).join();
}

// As on fibers, only one of the two runs at a time.
TEST(HeapCache, SharedItGivesWhatTheOtherHasFreed) {
  std::atomic<int> stage{0};
  const auto await = [&stage](int wanted) {
    while (stage != wanted) std::this_thread::yield();
  };
  void* block = malloc(kSize);
  std::thread other([&] {
    free(malloc(kSize));
    const uint64_t own = *pointer_to_heap_cache();
    stage = 1;
    await(2);
    free(block);
    *pointer_to_heap_cache() = own;
    stage = 3;
  });
  await(1);
  share_heap_cache(other.native_handle());
  stage = 2;
  await(3);
  void* again = malloc(kSize);
  EXPECT_EQ(again, block);
  free(again);
  other.join();
}

}  // namespace
}  // namespace snarl::runtime::fiber
