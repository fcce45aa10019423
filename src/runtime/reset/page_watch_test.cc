#include "runtime/reset/page_watch.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <vector>

namespace snarl::runtime {
namespace {

constexpr uint64_t kPages = 2000;

class PageWatchTest : public testing::Test {
 protected:
  PageWatchTest() {
    begin_ = reinterpret_cast<uint64_t>(
        mmap(nullptr, kPages * PageWatch::kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    madvise(reinterpret_cast<void*>(begin_), kPages * PageWatch::kPage, MADV_NOHUGEPAGE);
    for (const uint64_t page : {0, 1, 7, 511, 512, 513, 1999}) touch(page);
  }
  ~PageWatchTest() override { munmap(reinterpret_cast<void*>(begin_), kPages * PageWatch::kPage); }

  void touch(uint64_t page) const { *reinterpret_cast<volatile char*>(begin_ + page * PageWatch::kPage) = 1; }

  std::vector<uint64_t> pages_by(const PageWatch& watch, uint64_t most = kPages) const {
    std::vector<uint64_t> pages;
    watch.for_each(begin_, begin_ + kPages * PageWatch::kPage, [&](uint64_t page, bool in_memory) {
      EXPECT_TRUE(in_memory);
      pages.push_back((page - begin_) / PageWatch::kPage);
      return pages.size() < most;
    });
    return pages;
  }

  uint64_t begin_ = 0;
};

// What newer kernels list is what all of them say when asked for each page.
TEST_F(PageWatchTest, BothWaysFindThePagesThatAreThere) {
  PageWatch lists, asks;
  ASSERT_EQ(lists.begin(100), nullptr);
  setenv("SNARL_RT_REWIND_WITHOUT", "scan", 1);
  ASSERT_EQ(asks.begin(100), nullptr);
  unsetenv("SNARL_RT_REWIND_WITHOUT");
  ASSERT_FALSE(asks.can_list() || asks.can_watch());
  const std::vector<uint64_t> there = {0, 1, 7, 511, 512, 513, 1999};
  EXPECT_EQ(pages_by(asks), there);
  EXPECT_EQ(pages_by(lists), there);
  EXPECT_EQ(pages_by(lists, 3), (std::vector<uint64_t>{0, 1, 7}));
}

TEST_F(PageWatchTest, WrittenPagesAreFound) {
  PageWatch watch;
  ASSERT_EQ(watch.begin(100), nullptr);
  if (!watch.can_watch()) GTEST_SKIP() << "this kernel, or a container, has no such watch";
  const uint64_t end = begin_ + kPages * PageWatch::kPage;
  ASSERT_TRUE(watch.watch(begin_, end));
  ASSERT_TRUE(watch.protect(begin_, end));
  touch(7);     // was there
  touch(1000);  // was not
  PageWatch::Part parts[8];
  uint64_t next = 0;
  ASSERT_EQ(watch.written(begin_, end, parts, 8, next), 2);
  EXPECT_EQ(parts[0].begin, begin_ + 7 * PageWatch::kPage);
  EXPECT_EQ(parts[1].begin, begin_ + 1000 * PageWatch::kPage);
}

}  // namespace
}  // namespace snarl::runtime
