#include "explore/target/target.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/rng.h"
#include "explore/target/elf_image.h"
#include "os/read_file.h"

namespace snarl::explore {
namespace {

using testing::HasSubstr;

class TargetTest : public testing::Test {
 protected:
  TargetTest() {
    char name[] = "/tmp/snarl-target-XXXXXX";
    folder_ = mkdtemp(name);
    own_ = *os::read_file("/proc/self/exe", 125);
  }
  ~TargetTest() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& bytes, mode_t mode = 0755) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    chmod(path.c_str(), mode);
    return path;
  }
  void expect_error(const std::string& program, int code, const char* message) {
    const Expected<Target> target = find_target({program}, "/usr/bin:/bin");
    ASSERT_FALSE(target) << program;
    EXPECT_EQ(target.error().exit_code, code);
    EXPECT_THAT(target.error().message, HasSubstr(message));
  }
  // Our own program without its PT_INTERP.
  std::string without_interpreter() const {
    std::string bytes = own_;
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    for (size_t i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      char* at = bytes.data() + header.e_phoff + i * sizeof segment;
      std::memcpy(&segment, at, sizeof segment);
      if (segment.p_type == PT_INTERP || segment.p_type == PT_DYNAMIC) segment.p_type = PT_NULL;
      std::memcpy(at, &segment, sizeof segment);
    }
    return bytes;
  }

  std::string folder_, own_;
};

TEST_F(TargetTest, FindsPrograms) {
  const Expected<Target> target = find_target({file("good", own_), "x"}, "");
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->argv.size(), 2u);
  EXPECT_THAT(target->needed, testing::Contains(HasSubstr("libc.so")));
  const Expected<Target> in_path = find_target({"good"}, "/nowhere:" + folder_);
  ASSERT_TRUE(in_path);
  EXPECT_EQ(in_path->path, folder_ + "/good");
  EXPECT_EQ(in_path->argv[0], "good");
}

TEST_F(TargetTest, SaysWhatIsWrongWithAFile) {
  expect_error("no-such-program", 127, "not found");
  expect_error("./no/such/program", 127, "not found");
  expect_error(folder_, 126, "directory");
  expect_error(file("plain", own_, 0644), 126, "not executable");
  expect_error(file("text", "echo hello\n"), 126, "neither a program nor a script");
  expect_error(file("empty", ""), 126, "neither a program nor a script");
  expect_error(file("setuid", own_, 04755), 4, "setuid");
  expect_error(file("static", without_interpreter()), 4, "statically linked");
  expect_error("", 2, "no program");
}

TEST_F(TargetTest, KnowsWhatItCannotControl) {
  std::string bits32 = own_;
  bits32[EI_CLASS] = ELFCLASS32;
  expect_error(file("old", bits32), 4, "32-bit");
  std::string arm = own_;
  arm[18] = static_cast<char>(EM_AARCH64);
  expect_error(file("arm", arm), 126, "another processor");
  std::string go = own_;  // rename a section
  const size_t at = go.rfind(".note.gnu.build-id");
  ASSERT_NE(at, go.npos);
  std::memcpy(go.data() + at, ".go.buildinfo", 14);
  expect_error(file("go", go), 4, "Go program");
  expect_error(file("cut", own_.substr(0, 40)), 126, "damaged");
}

TEST_F(TargetTest, KnowsAHalfWrittenFile) { expect_error(file("half", own_.substr(0, 8192)), 126, "is cut off"); }

TEST_F(TargetTest, FollowsInterpreters) {
  const Expected<Target> script = find_target({file("script", "#!/bin/sh -e\necho\n"), "a"}, "/usr/bin:/bin");
  ASSERT_TRUE(script) << script.error().message;
  EXPECT_EQ(script->path, "/bin/sh");
  EXPECT_EQ(script->argv, (std::vector<std::string>{"/bin/sh", "-e", folder_ + "/script", "a"}));
  const Expected<Target> env = find_target({file("env", "#!/usr/bin/env sh\n")}, "/usr/bin:/bin");
  ASSERT_TRUE(env);
  EXPECT_THAT(env->path, testing::EndsWith("/sh"));
  expect_error(file("bad", "#!/no/such/interpreter\n"), 126, "interpreter");
  expect_error(file("none", "#!\n"), 126, "names no interpreter");
  expect_error(file("loop", "#!" + folder_ + "/loop\n"), 126, "too many levels");
}

TEST_F(TargetTest, SurvivesDamagedFiles) {
  Rng rng(1);
  const std::string head = own_.substr(0, 64 << 10);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = head.substr(0, rng.below(head.size()));
    for (uint64_t i = rng.below(40); i > 0 && bytes.size() > 64; --i)
      bytes[EI_NIDENT + rng.below(std::min<size_t>(bytes.size() - EI_NIDENT, 1200))] = static_cast<char>(rng.next());
    parse_elf(bytes);
  }
}

}  // namespace
}  // namespace snarl::explore
