#include "runtime/watch/fingerprint.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>

#include "runtime/platform/guard_pages.h"
#include "runtime/platform/page_notes.h"

namespace snarl::runtime::fingerprint {
namespace {

constexpr size_t kPages = 8, kGuard = 3;

// More than the red zone, so that a test's own frame is left out, and less than lies above it in any environment.
uint64_t top_above(const void* frame) { return reinterpret_cast<uint64_t>(frame) + 256; }

// Of this process, but for its frames up to the test's own.
[[gnu::noinline]] uint64_t of_memory_above(const void* frame) {
  const uint64_t top = top_above(frame);
  return of_memory({&top, 1});
}

class Fingerprint : public testing::Test {
 protected:
  void SetUp() override {
    stay_here();
    area_ =
        static_cast<char*>(mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(area_, MAP_FAILED);
    for (size_t page = 0; page < kPages; ++page) at(page) = 1;
  }
  void TearDown() override { munmap(area_, kPages * kPage); }

  // As the tested process does: the kernel writes the number of the CPU into each thread's memory (rseq).
  static void stay_here() {
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET(static_cast<size_t>(sched_getcpu()), &here);
    ASSERT_EQ(sched_setaffinity(0, sizeof here, &here), 0);
  }

  volatile char& at(size_t page) { return area_[page * kPage + 40]; }
  // False: this kernel can't.
  bool mark() {
    const iovec guard{area_ + kGuard * kPage, kPage};
    guard_pages::mark(&guard, 1);
    uint64_t bits = 0;
    const long file = raw::call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    raw::call(SYS_pread64, file, &bits, sizeof bits, reinterpret_cast<uint64_t>(guard.iov_base) / kPage * sizeof bits);
    raw::call(SYS_close, file);
    return guard_pages::is_marked(bits);
  }

  char* area_ = nullptr;
};

TEST_F(Fingerprint, EveryPageCounts) {
  const uint64_t before = of_memory_above(__builtin_frame_address(0));
  ASSERT_NE(before, 0u);
  EXPECT_EQ(of_memory_above(__builtin_frame_address(0)), before);
  for (size_t page = 0; page < kPages; ++page) {
    at(page) = 2;
    EXPECT_NE(of_memory_above(__builtin_frame_address(0)), before) << "page " << page;
    at(page) = 1;
    EXPECT_EQ(of_memory_above(__builtin_frame_address(0)), before) << "page " << page;
  }
}

// To read one would end the process. What lies on both sides counts as before.
TEST_F(Fingerprint, MarkedGuardsAreLeftOut) {
  if (!mark()) GTEST_SKIP() << "this kernel marks no pages, or does not tell";
  const uint64_t before = of_memory_above(__builtin_frame_address(0));
  ASSERT_NE(before, 0u);
  for (const size_t page : {size_t{0}, kGuard - 1, kGuard + 1, kPages - 1}) {
    at(page) = 2;
    EXPECT_NE(of_memory_above(__builtin_frame_address(0)), before) << "page " << page;
    at(page) = 1;
    EXPECT_EQ(of_memory_above(__builtin_frame_address(0)), before) << "page " << page;
  }
}

// Both stacks in one area: below the top of each nothing counts, not even beyond the guard that separates them.
TEST_F(Fingerprint, BelowEachTopNothingCounts) {
  if (!mark()) GTEST_SKIP() << "this kernel marks no pages, or does not tell";
  const auto number = [this](size_t page) { return reinterpret_cast<uint64_t>(area_) + page * kPage; };
  const uint64_t tops[] = {number(2), number(kGuard + 2), top_above(__builtin_frame_address(0))};
  const auto hash = [&] { return of_memory({tops, 3}); };
  const uint64_t before = hash();
  ASSERT_NE(before, 0u);
  for (size_t page = 0; page < kPages; ++page) {
    if (page == kGuard) continue;
    const bool is_below = page < 2 || page == kGuard + 1;
    at(page) = 2;
    EXPECT_EQ(hash() == before, is_below) << "page " << page;
    at(page) = 1;
  }
}

}  // namespace
}  // namespace snarl::runtime::fingerprint
