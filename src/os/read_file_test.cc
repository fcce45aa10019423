#include "os/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace snarl::os {
namespace {

TEST(ReadFile, GivesEveryByte) {
  char path[] = "/tmp/snarl-read-XXXXXX";
  const int fd = mkstemp(path);
  ASSERT_GE(fd, 0);
  close(fd);
  const std::string text = std::string(200'000, 'x') + std::string("\0\n", 2);  // more than one read gives
  std::ofstream(path, std::ios::binary) << text;
  const Expected<std::string> read = read_file(path, 2);
  std::remove(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, text);
}

TEST(ReadFile, AnErrorNamesTheFile) {
  for (const char* path : {"/nowhere/at/all", "/"}) {
    const Expected<std::string> read = read_file(path, 3);
    ASSERT_FALSE(read) << path;
    EXPECT_THAT(read.error().message, testing::HasSubstr(std::string("can't read ") + path));
    EXPECT_EQ(read.error().exit_code, 3);
  }
}

}  // namespace
}  // namespace snarl::os
