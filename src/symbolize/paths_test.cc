#include "symbolize/paths.h"

#include <gtest/gtest.h>

namespace snarl::symbolize {
namespace {

TEST(DisplayPath, IsRelativeBelowTheBase) {
  EXPECT_EQ(display_path("/home/me/app/src/bank.cc", "/home/me/app"), "src/bank.cc");
  EXPECT_EQ(display_path("/home/me/app/src/bank.cc", "/home/me/app/"), "src/bank.cc");
  EXPECT_EQ(display_path("/home/me/app/build/../src/./bank.cc", "/home/me/app"), "src/bank.cc");
}

TEST(DisplayPath, IsTheShorterFormElsewhere) {
  EXPECT_EQ(display_path("/home/me/app/src/bank.cc", "/home/me/app/build"), "../src/bank.cc");
  EXPECT_EQ(display_path("/usr/include/stdio.h", "/home/me/app"), "/usr/include/stdio.h");
  EXPECT_EQ(display_path("/home/me/application/a.cc", "/home/me/app"), "../application/a.cc");
}

TEST(DisplayPath, LeavesWhatItCannotPlace) {
  EXPECT_EQ(display_path("src/bank.cc", "/home/me/app"), "src/bank.cc");
  EXPECT_EQ(display_path("/src/bank.cc", ""), "/src/bank.cc");
  EXPECT_EQ(display_path("", "/home"), "");
  EXPECT_EQ(display_path("/home", "/home"), "/home");
}

TEST(JoinPath, OnlyChangesRelativePaths) {
  EXPECT_EQ(join_path("/build", "../a.cc"), "/build/../a.cc");
  EXPECT_EQ(join_path("/build/", "a.cc"), "/build/a.cc");
  EXPECT_EQ(join_path("/build", "/src/a.cc"), "/src/a.cc");
  EXPECT_EQ(join_path("", "a.cc"), "a.cc");
}

TEST(IsSystemSource, KnowsCompilersAndLibc) {
  EXPECT_TRUE(is_system_source("/usr/include/c++/12/bits/std_mutex.h"));
  EXPECT_TRUE(is_system_source("/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/thread"));
  EXPECT_TRUE(is_system_source("/opt/llvm/include/c++/v1/mutex"));
  EXPECT_TRUE(is_system_source("/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h"));
  EXPECT_FALSE(is_system_source("/home/me/c++/bank.cc"));
  EXPECT_FALSE(is_system_source("/home/usr/include/bank.h"));
  EXPECT_FALSE(is_system_source(""));
}

TEST(IsSystemModule, KnowsTheRuntimeLibraries) {
  EXPECT_TRUE(is_system_module("/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_TRUE(is_system_module("/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30"));
  EXPECT_TRUE(is_system_module("/lib64/ld-linux-x86-64.so.2"));
  EXPECT_TRUE(is_system_module("/opt/snarl/lib/libsnarl_rt.so"));
  EXPECT_TRUE(is_system_module("/opt/snarl/lib/libsnarl.so.0"));
  EXPECT_TRUE(is_system_module("[vdso]"));
  EXPECT_FALSE(is_system_module("/usr/lib/libcurl.so.4"));
  EXPECT_FALSE(is_system_module("/home/me/libc/app"));
}

}  // namespace
}  // namespace snarl::symbolize
