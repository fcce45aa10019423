// The witnesses: the bytes that this process has, read in a child, and the signal that ends a child.
#include "runtime/platform/fresh_areas.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <vector>

#include "runtime/platform/guard_pages.h"
#include "runtime/platform/page_notes.h"

namespace snarl::runtime::fresh_areas {
namespace {

constexpr size_t kStack = 600 * kPage, kPair = kPage + kStack;  // no two share a page table
constexpr int kStacks = 3;

uint64_t number(const void* at) { return reinterpret_cast<uint64_t>(at); }

// How a child ends that does this: its exit code, or the signal as a negative number.
int end_of_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

class FreshAreas : public testing::Test {
 protected:
  void SetUp() override {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS;
    begin_ = static_cast<char*>(mmap(nullptr, kStacks * kPair, PROT_NONE, kFlags, -1, 0));
    ASSERT_NE(begin_, MAP_FAILED);
    for (int i = kStacks - 1; i >= 0; --i) {
      ASSERT_EQ(mprotect(stack(i), kStack, PROT_READ | PROT_WRITE), 0);
      for (size_t at = kStack - 2 * kPage; at < kStack; at += 1 + at % 97)
        stack(i)[at] = static_cast<char>(at * 7 + static_cast<size_t>(i));
      stack(i)[kStack - 300 * kPage] = 'x';
      can_mark_ = guard_pages::mark_below(number(stack(i)), kPage) != 0;
    }
  }
  void TearDown() override {
    forget();
    munmap(begin_, kStacks * kPair);
  }

  char* guard(int i) const { return begin_ + i * static_cast<long>(kPair); }
  char* stack(int i) const { return guard(i) + kPage; }
  void add_all() const {
    for (int i = kStacks - 1; i >= 0; --i) add({number(guard(i)), number(guard(i)) + kPair, kPage});
  }
  std::vector<char> content() const {
    std::vector<char> bytes;
    for (int i = 0; i < kStacks; ++i) bytes.insert(bytes.end(), stack(i), stack(i) + kStack);
    return bytes;
  }
  bool can_mark() const { return can_mark_; }

 private:
  char* begin_ = nullptr;
  bool can_mark_ = false;
};

TEST_F(FreshAreas, AreEmptyInACopyUntilItRenewsThem) {
  const auto before = content();
  add_all();
  keep();
  EXPECT_EQ(end_of_child([&] {
              for (int i = 0; i < kStacks; ++i)
                for (size_t at = 0; at < kStack; ++at)
                  if (stack(i)[at] != 0) return 3;
              return 0;
            }),
            0);
  EXPECT_EQ(end_of_child([&] {
              renew();
              return content() == before ? 0 : 4;
            }),
            0);
  EXPECT_EQ(content(), before);
}

TEST_F(FreshAreas, AreCopiedForTheChildrenOfACopy) {
  const auto before = content();
  add_all();
  keep();
  EXPECT_EQ(end_of_child([&] {
              renew();
              stack(1)[kStack - 5 * kPage] = 'y';
              auto expected = before;
              expected[kStack + kStack - 5 * kPage] = 'y';
              return end_of_child([&] { return content() == expected ? 0 : 5; });
            }),
            0);
}

TEST_F(FreshAreas, HaveTheirGuardsInACopy) {
  if (!can_mark()) GTEST_SKIP() << "the kernel can't mark guards";
  add_all();
  keep();
  for (int i = 0; i < kStacks; ++i) {
    const auto write = [&](char* at) {
      return end_of_child([=] {
        renew();
        *static_cast<volatile char*>(at) = 1;
        return 0;
      });
    };
    EXPECT_EQ(write(guard(i)), -SIGSEGV);
    EXPECT_EQ(write(guard(i) + kPage - 1), -SIGSEGV);
    EXPECT_EQ(write(stack(i)), 0);
  }
}

TEST_F(FreshAreas, HoldWhatWasWrittenBeforeTheyWereKeptAgain) {
  add_all();
  keep();
  stack(2)[kStack - 1] = 'z';
  stack(2)[kStack - kPage] = 0;
  const auto before = content();
  forget();
  EXPECT_EQ(end_of_child([&] { return content() == before ? 0 : 6; }), 0);
  add_all();
  keep();
  EXPECT_EQ(end_of_child([&] {
              renew();
              return content() == before ? 0 : 7;
            }),
            0);
}

// With a hole in it, an area can't be emptied as a whole: then nothing is.
TEST_F(FreshAreas, AreLeftAloneIfTheKernelCannotEmptyThem) {
  add_all();
  ASSERT_EQ(munmap(guard(1), kPair), 0);
  const auto content_of = [&](int i) { return std::vector<char>(stack(i), stack(i) + kStack); };
  const auto lowest = content_of(0), highest = content_of(2);
  keep();
  EXPECT_EQ(end_of_child([&] {
              renew();
              return content_of(0) == lowest && content_of(2) == highest ? 0 : 8;
            }),
            0);
}

}  // namespace
}  // namespace snarl::runtime::fresh_areas
