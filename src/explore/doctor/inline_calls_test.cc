#include "explore/doctor/inline_calls.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <string>

namespace snarl::explore {
namespace {

using namespace std::string_literals;

TEST(InlineCalls, FindsTheNumberThatIsLoadedBefore) {
  const std::string code =
      "\x90\xb8\xca\x00\x00\x00\x0f\x05\x48\x85\xc0\xc3"s;  // mov $202, %eax; syscall; test %rax, %rax; ret
  const auto calls = find_inline_calls(code);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].offset, 6u);
  EXPECT_EQ(calls[0].number, SYS_futex);
}

TEST(InlineCalls, OneSignIsEnoughBesideASureOne) {
  const std::string tested = "\x89\xe8\x0f\x05\x48\x3d\x00\xf0\xff\xff"s;  // mov %ebp, %eax; syscall; cmp $-4096, %rax
  const std::string sure = "\xb8\xca\x00\x00\x00\x0f\x05\x48\x85\xc0"s;
  EXPECT_TRUE(find_inline_calls(tested).empty());
  const auto calls = find_inline_calls(tested + std::string(64, '\x90') + sure);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_FALSE(calls[0].number);
  EXPECT_EQ(calls[1].number, SYS_futex);
}

TEST(InlineCalls, TwoBytesOfAnotherInstructionAreNoCall) {
  EXPECT_TRUE(find_inline_calls("\xba\x0f\x05\x00\x00\xc3\x90\x90"s).empty());  // mov $0x50f, %edx
  EXPECT_TRUE(find_inline_calls("\xb8\xff\xff\x00\x00\x0f\x05\xc3"s).empty());  // no call has that number
}

TEST(InlineCalls, CodeMayEndAnywhere) {
  EXPECT_TRUE(find_inline_calls("").empty());
  EXPECT_TRUE(find_inline_calls("\x0f").empty());
  EXPECT_TRUE(find_inline_calls("\x0f\x05").empty());
  EXPECT_TRUE(find_inline_calls("\xb8\x0f\x05").empty());
}

}  // namespace
}  // namespace snarl::explore
