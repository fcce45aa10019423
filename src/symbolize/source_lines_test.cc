#include "symbolize/source_lines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace snarl::symbolize {
namespace {

namespace fs = std::filesystem;

class SourceLinesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("source_lines_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()));
    fs::create_directories(folder_);
    write("a.cc", "first\n\tlock(m);  \r\n\n  last");
    write("program", "");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ / name; }
  void write(const char* name, const std::string& text) const { std::ofstream(path(name)) << text; }

  fs::path folder_;
};

TEST_F(SourceLinesTest, AreThoseOfTheFileWithoutSpaceAround) {
  SourceLines lines(path("program"));
  EXPECT_EQ(lines.line(path("a.cc"), 1), "first");
  EXPECT_EQ(lines.line(path("a.cc"), 2), "lock(m);");
  EXPECT_EQ(lines.line(path("a.cc"), 3), "");
  EXPECT_EQ(lines.line(path("a.cc"), 4), "last");
}

TEST_F(SourceLinesTest, AreNotInvented) {
  SourceLines lines(path("program"));
  for (const int number : {-1, 0, 5, 1 << 30}) EXPECT_EQ(lines.line(path("a.cc"), number), "");
  EXPECT_EQ(lines.line(path("b.cc"), 1), "");
  EXPECT_EQ(lines.line(folder_, 1), "") << "a folder";
  EXPECT_EQ(lines.line("/dev/zero", 1), "") << "it has no end";
}

TEST_F(SourceLinesTest, OfAFileThatWasChangedSinceAreNotShown) {
  fs::last_write_time(path("a.cc"), fs::last_write_time(path("program")) + std::chrono::seconds(5));
  SourceLines lines(path("program"));
  EXPECT_EQ(lines.line(path("a.cc"), 1), "");
}

}  // namespace
}  // namespace snarl::symbolize
