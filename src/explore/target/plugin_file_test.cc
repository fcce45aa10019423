#include "explore/target/plugin_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace snarl::explore {
namespace {

std::string bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

TEST(PluginFile, ARightOneIsTaken) { EXPECT_TRUE(check_plugin("p.so", bytes_of(SNARL_EXAMPLE_POLICY))); }

TEST(PluginFile, AnotherVersionIsRefusedWithASentence) {
  const Status checked = check_plugin("p.so", bytes_of(SNARL_EXAMPLE_POLICY_99));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "policy p.so is built for version 99 of snarl's policy interface; this snarl has version 2");
  EXPECT_EQ(checked.error().exit_code, 2);
}

TEST(PluginFile, AnythingElseIsRefused) {
  EXPECT_EQ(check_plugin("p.so", "").error().message, "policy p.so is no shared library for x86-64");
  EXPECT_EQ(check_plugin("p.so", "#!/bin/sh\n").error().exit_code, 2);
  const std::string other = bytes_of("/lib/x86_64-linux-gnu/libc.so.6");
  EXPECT_EQ(check_plugin("p.so", other).error().message, "policy p.so has no snarl_policy_entry");
}

// A file that was cut anywhere, or whose bytes were changed, is refused or taken, but never read outside of its end.
TEST(PluginFile, BrokenFiles) {
  const std::string whole = bytes_of(SNARL_EXAMPLE_POLICY);
  for (size_t size = 0; size < whole.size() / 2; size += 61)
    EXPECT_FALSE(check_plugin("p.so", std::string_view(whole).substr(0, size))) << "its sections are at its end";
  int taken = 0;
  for (size_t i = 0; i < 4000; ++i) {
    std::string broken = whole;
    broken[(i * 7919) % broken.size()] = static_cast<char>(i * 31);
    if (check_plugin("p.so", broken)) ++taken;
  }
  EXPECT_GT(taken, 3000) << "most bytes are not looked at";
}

}  // namespace
}  // namespace snarl::explore
