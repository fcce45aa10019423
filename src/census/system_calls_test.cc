#include "census/system_calls.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace snarl::census {
namespace {

// The kernel's own list: "#define __NR_read 0".
std::map<uint64_t, std::string> kernels_names() {
  std::map<uint64_t, std::string> names;
  for (const char* path : {"/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"}) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string define, name;
      uint64_t number = 0;
      if (words >> define >> name >> number && name.starts_with("__NR_")) names[number] = name.substr(5);
    }
  }
  return names;
}

TEST(SystemCalls, NamesAreTheKernels) {
  const std::map<uint64_t, std::string> names = kernels_names();
  ASSERT_GT(names.size(), 300u);
  size_t known = 0;
  for (const auto& [number, name] : names) {
    const SystemCall* call = system_call(number);
    if (call == nullptr) continue;
    EXPECT_EQ(call->name, name);
    ++known;
  }
  EXPECT_GT(known, 300u);
}

TEST(SystemCalls, WhatIsNotInTheTableMayDoAnything) {
  for (uint64_t number : {uint64_t{100'000}, ~uint64_t{0}}) {
    EXPECT_EQ(system_call(number), nullptr);
    EXPECT_EQ(classes_of(number), kUnknown);
    EXPECT_FALSE(is_restorable(classes_of(number)));
  }
}

TEST(SystemCalls, QuestionsAndMemoryAreRestorable) {
  for (long number : {SYS_getpid, SYS_fstat, SYS_clock_gettime, SYS_mmap, SYS_brk, SYS_close, SYS_rt_sigaction,
                      SYS_futex, SYS_epoll_wait, SYS_nanosleep})
    EXPECT_TRUE(is_restorable(classes_of(static_cast<uint64_t>(number)))) << number;
  for (long number : {SYS_write, SYS_read, SYS_lseek, SYS_unlink, SYS_kill, SYS_fork, SYS_clone3, SYS_exit_group,
                      SYS_sendto, SYS_epoll_ctl, SYS_openat})
    EXPECT_FALSE(is_restorable(classes_of(static_cast<uint64_t>(number)))) << number;
}

TEST(SystemCalls, WhoWaitsAndWhoTellsTheTime) {
  for (long number : {SYS_futex, SYS_read, SYS_poll, SYS_wait4, SYS_nanosleep, SYS_accept4})
    EXPECT_TRUE(classes_of(static_cast<uint64_t>(number)) & kBlocks) << number;
  for (long number : {SYS_getpid, SYS_mmap, SYS_close, SYS_sched_yield, SYS_tgkill})
    EXPECT_FALSE(classes_of(static_cast<uint64_t>(number)) & kBlocks) << number;
  for (long number : {SYS_clock_gettime, SYS_time, SYS_nanosleep, SYS_timer_settime})
    EXPECT_TRUE(classes_of(static_cast<uint64_t>(number)) & kTime) << number;
  EXPECT_TRUE(classes_of(SYS_clone) & kCreates);
  EXPECT_TRUE(classes_of(SYS_exit) & kEnds);
}

}  // namespace
}  // namespace snarl::census
