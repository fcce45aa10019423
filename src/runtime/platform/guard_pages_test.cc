// The witnesses are the kernel's: its list of areas, its page map, and the signal that ends a child.
#include "runtime/platform/guard_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "runtime/platform/memory_map.h"
#include "runtime/platform/page_notes.h"

namespace snarl::runtime::guard_pages {
namespace {

constexpr size_t kStack = 16 * kPage, kPair = kPage + kStack;

uint64_t number(const void* at) { return reinterpret_cast<uint64_t>(at); }

// Stacks side by side as libc makes them: a page below each that nobody may touch. Made from the highest on.
class GuardPages : public testing::Test {
 protected:
  void SetUp() override {
    begin_ = static_cast<char*>(mmap(nullptr, 2 * kPair, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(begin_, MAP_FAILED);
    for (const int i : {0, 1}) ASSERT_EQ(mprotect(stack(i), kStack, PROT_READ | PROT_WRITE), 0);
  }
  void TearDown() override { munmap(begin_, 2 * kPair); }

  char* guard(int i) const { return begin_ + i * static_cast<long>(kPair); }
  char* stack(int i) const { return guard(i) + kPage; }
  void use(int i) const { stack(i)[kStack - 1] = 1; }

 private:
  char* begin_ = nullptr;
};

memory_map::Area area_of(const void* at) {
  struct Search {
    uint64_t at;
    memory_map::Area found;
  } search{number(at), {}};
  memory_map::for_each(
      [](const memory_map::Area& area, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (area.begin <= wanted.at && wanted.at < area.end) wanted.found = area;
      },
      &search);
  return search.found;
}

bool says_page_map(const char* page) {
  bool marked = false;
  uint64_t bits = 0;
  const int file = ::open("/proc/self/pagemap", O_RDONLY);
  if (pread(file, &bits, sizeof bits, static_cast<off_t>(number(page) / kPage * 8)) == sizeof bits)
    marked = is_marked(bits);
  close(file);
  return marked;
}

// How a child that writes there ends.
int signal_of_write(char* at) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    *static_cast<volatile char*>(at) = 1;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST_F(GuardPages, StacksSideBySideAreOneArea) {
  for (const int i : {1, 0}) {
    use(i);
    mark_below(number(stack(i) + kStack - 1), kPage);
  }
  if (!says_page_map(guard(1))) GTEST_SKIP() << "this kernel can't mark pages and tell";
  EXPECT_TRUE(says_page_map(guard(0)));
  EXPECT_FALSE(says_page_map(stack(0)));
  const memory_map::Area area = area_of(guard(0));
  EXPECT_LE(area.begin, number(guard(0)));
  EXPECT_GE(area.end, number(guard(0)) + 2 * kPair);
  EXPECT_EQ(stack(1)[kStack - 1], 1);
}

TEST_F(GuardPages, WhoTouchesOneEnds) {
  for (const int i : {1, 0}) {
    use(i);
    mark_below(number(stack(i)), kPage);
  }
  for (const int i : {0, 1}) {
    EXPECT_EQ(signal_of_write(stack(i)), 0);
    EXPECT_EQ(signal_of_write(stack(i) - 1), SIGSEGV);
    EXPECT_EQ(signal_of_write(guard(i)), SIGSEGV);
  }
}

TEST_F(GuardPages, NothingElseIsMarked) {
  use(1);
  mark_below(number(stack(1)), 2 * kPage);  // not its size
  EXPECT_FALSE(area_of(guard(1)).reads);
  mark_below(number(guard(0)), kPage);  // no area of a stack
  EXPECT_FALSE(area_of(guard(0)).reads);
}

// The kernel's search for pages in memory, against its list of all.
TEST_F(GuardPages, PagesInMemoryAreFoundAmongThoseThatAreNot) {
  use(1);
  use(0);
  stack(1)[3 * kPage] = 1;
  std::vector<uint64_t> found, all;
  const PageMap map;
  const wire::PageRange whole{number(stack(1)), number(stack(1)) + kStack};
  const auto into = [](std::vector<uint64_t>& pages) {
    return [&pages](uint64_t page, PageEntry entry) {
      if (entry.is_present()) pages.push_back(page);
    };
  };
  map.for_each(whole, into(all));
  map.for_each_own_part(whole, [&](const wire::PageRange& part) { map.for_each(part, into(found)); });
  EXPECT_EQ(found, (std::vector<uint64_t>{number(stack(1)) + 3 * kPage, number(stack(1)) + kStack - kPage}));
  EXPECT_EQ(found, all);
}

}  // namespace
}  // namespace snarl::runtime::guard_pages
