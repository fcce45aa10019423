// What is left of a place when the file on disk has less than it should.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "symbolize/elf_file.h"
#include "symbolize/symbolizer.h"
#include "symbolize/test_program.h"
#include "symbolize/text.h"

namespace snarl::symbolize {
namespace {

constexpr std::string_view kSource = R"(
extern "C" __attribute__((noinline)) int visible(int n) {
  MARK(here);
  return n + 1;
}
int main(int argc, char**) { return visible(argc); }
)";

class Degraded : public testing::Test {
 protected:
  void SetUp() override {
    program_.compile(test_compilers()[0], "-g -O2 -rdynamic", kSource);
    here_ = program_.symbol("mark_here");
    distance_ = here_ - program_.symbol("visible");
  }

  Place look(std::string_view build_id = {}) {
    Symbolizer symbolizer(program_.path("debug_root"));
    return symbolizer.place({program_.program(), build_id}, here_);
  }

  void expect_source(const Place& place) {
    EXPECT_EQ(place.frames[0].function, "visible");
    EXPECT_EQ(place.frames[0].file, program_.source());
    EXPECT_EQ(place.frames[0].line, 3);
  }

  void expect_symbol(const Place& place) {
    ASSERT_EQ(place.frames.size(), 1U);
    EXPECT_EQ(place.frames[0].function, with_offset("visible", distance_));
    EXPECT_EQ(place.frames[0].file, "");
    EXPECT_EQ(place.frames[0].line, 0);
  }

  void expect_module(const Place& place) {
    ASSERT_EQ(place.frames.size(), 1U);
    EXPECT_EQ(place.frames[0].function, "prog+" + hex(here_));
    EXPECT_EQ(place.frames[0].file, "");
  }

  std::string build_id() { return ElfFile::open(program_.program())->build_id(); }
  void run(const std::string& command) { run_command("cd " + program_.folder() + " && " + command); }

  TestProgram program_;
  uint64_t here_ = 0;
  uint64_t distance_ = 0;
};

TEST_F(Degraded, NotAtAll) {
  expect_source(look());
  EXPECT_EQ(build_id().size(), 40U);
  EXPECT_FALSE(look(build_id()).stale);
  expect_source(look(build_id()));
}

TEST_F(Degraded, StrippedOfDebugInfo) {
  run("strip -g prog");
  expect_symbol(look());
}

TEST_F(Degraded, StrippedKeepsDynamicSymbols) {
  run("strip prog");
  expect_symbol(look());
}

TEST_F(Degraded, StrippedOfEverySymbol) {
  program_.compile(test_compilers()[0], "-g -O2", kSource);
  here_ = program_.symbol("mark_here");
  run("strip prog");
  expect_module(look());
}

TEST_F(Degraded, DebugLinkBesideTheFile) {
  run("objcopy --only-keep-debug prog prog.debug && strip prog && objcopy --add-gnu-debuglink=prog.debug prog");
  expect_source(look());
}

TEST_F(Degraded, DebugLinkInTheDebugFolder) {
  run("mkdir .debug && objcopy --only-keep-debug prog .debug/prog.debug && strip prog && "
      "objcopy --add-gnu-debuglink=.debug/prog.debug prog");
  expect_source(look());
}

TEST_F(Degraded, DebugLinkBelowTheRoot) {
  const std::string folder = "debug_root" + program_.folder();
  run("mkdir -p " + folder + " && objcopy --only-keep-debug prog " + folder + "/prog.debug && strip prog && " +
      "objcopy --add-gnu-debuglink=" + folder + "/prog.debug prog");
  expect_source(look());
}

TEST_F(Degraded, DebugLinkByChecksumWithoutBuildId) {
  program_.compile(test_compilers()[0], "-g -O2 -rdynamic -Wl,--build-id=none", kSource);
  here_ = program_.symbol("mark_here");
  run("objcopy --only-keep-debug prog prog.debug && strip prog && objcopy --add-gnu-debuglink=prog.debug prog");
  expect_source(look());
  EXPECT_TRUE(look("0123").stale);
  run("echo >> prog.debug");
  distance_ = 0;
  EXPECT_EQ(look().frames[0].file, "");
}

TEST_F(Degraded, DebugFileByBuildId) {
  const std::string id = build_id();
  const std::string folder = "debug_root/.build-id/" + id.substr(0, 2);
  run("mkdir -p " + folder + " && objcopy --only-keep-debug prog " + folder + "/" + id.substr(2) +
      ".debug && strip prog");
  expect_source(look());
}

TEST_F(Degraded, DebugFileOfAnotherBuild) {
  run("objcopy --only-keep-debug prog prog.debug && strip prog && objcopy --add-gnu-debuglink=prog.debug prog");
  run("echo 'int main() { return 7; }' > other.cc && c++ -g other.cc -o other && objcopy --only-keep-debug other "
      "prog.debug");
  expect_symbol(look());
}

TEST_F(Degraded, ReplacedByAnotherBuild) {
  const std::string id = build_id();
  run("echo 'int main() { return 7; }' > other.cc && c++ -g other.cc -o prog");
  const Place place = look(id);
  EXPECT_TRUE(place.stale);
  expect_module(place);
  EXPECT_FALSE(look().stale);
}

TEST_F(Degraded, Missing) {
  std::filesystem::remove(program_.program());
  expect_module(look(std::string(40, 'a')));
  EXPECT_FALSE(look(std::string(40, 'a')).stale);
}

TEST_F(Degraded, NotAFileOfOurKind) {
  std::ofstream(program_.program()) << "#!/bin/sh\n";
  expect_module(look());
  std::ofstream(program_.program()) << "";
  expect_module(look());
  std::filesystem::remove(program_.program());
  std::filesystem::create_directory(program_.program());
  expect_module(look());
  run("rmdir prog && mkfifo prog");
  expect_module(look());
}

TEST_F(Degraded, OffsetsThatAreNowhere) {
  Symbolizer symbolizer;
  for (uint64_t offset : {uint64_t{0}, uint64_t{1}, UINT64_MAX}) {
    EXPECT_EQ(symbolizer.place({program_.program()}, offset, PcKind::kReturnAddress).frames[0].function,
              "prog+" + hex(offset));
  }
  EXPECT_EQ(symbolizer.place({""}, 16).frames[0].function, "+0x10");
}

TEST(Crc, IsTheOneOfZlib) {
  TestProgram folder;
  std::ofstream(folder.path("check")) << "123456789";
  EXPECT_EQ(file_crc32(folder.path("check")), 0xcbf43926U);  // the check value of CRC-32
  EXPECT_EQ(file_crc32(folder.path("none")), 0U);
}

}  // namespace
}  // namespace snarl::symbolize
