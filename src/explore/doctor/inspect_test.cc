#include "explore/doctor/inspect.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/target/loaded_libraries.h"
#include "os/file_bytes.h"

namespace snarl::explore {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

ElfImage program() {
  ElfImage image;
  image.elf_class = ElfImage::Class::k64;
  image.type = ET_DYN;
  image.interpreter = "/lib64/ld-linux-x86-64.so.2";
  return image;
}

TEST(Inspect, ReadsOurOwnProgram) {
  const os::FileBytes file("/proc/self/exe");
  const ElfImage image = parse_elf(file.view());
  const report::ProgramFacts facts = inspect_program("x", image, file.view());
  EXPECT_EQ(facts.linking, "dynamic");
  EXPECT_TRUE(facts.symbols);
  EXPECT_THAT(image.imports, Contains("__libc_start_main"));
  EXPECT_FALSE(image.code.empty());
}

TEST(Inspect, TellsSanitizersApart) {
  ElfImage image = program();
  EXPECT_THAT(inspect_program("x", image, "").sanitizers, IsEmpty());
  image.imports = {"__asan_init", "__ubsan_handle_add_overflow"};  // gcc, both asked for
  EXPECT_THAT(inspect_program("x", image, "").sanitizers, ElementsAre("address", "undefined"));
  image.imports = {};
  image.exports = {"__tsan_init", "__ubsan_handle_add_overflow"};  // clang's always has both
  EXPECT_THAT(inspect_program("x", image, "").sanitizers, ElementsAre("thread"));
  image.exports = {"__ubsan_handle_add_overflow"};
  EXPECT_THAT(inspect_program("x", image, "").sanitizers, ElementsAre("undefined"));
  image.exports = {"__msan_init"};
  EXPECT_THAT(inspect_program("x", image, "").sanitizers, ElementsAre("memory"));
}

TEST(Inspect, KnowsRuntimes) {
  ElfImage image = program();
  image.needed = {"libgomp.so.1"};
  EXPECT_THAT(inspect_program("x", image, "at /rustc/abc/library/std").runtimes, ElementsAre("Rust", "OpenMP (gcc)"));
  image.needed = {};
  image.go = true;
  EXPECT_THAT(inspect_program("x", image, "").runtimes, ElementsAre("Go"));
}

TEST(Inspect, SaysWhatAModuleBrings) {
  ElfImage image = program();
  EXPECT_THAT(brought_by(image), IsEmpty());
  image.imports = {"pthread_create", "syscall"};
  EXPECT_THAT(brought_by(image), ElementsAre("threads", "syscall()"));
  const std::string code("\xbf\xca\0\0\0\xb8\xca\0\0\0\x0f\x05\x48\x85\xc0",
                         15);  // syscall(SYS_futex), and one by itself
  image.code = {code};
  EXPECT_THAT(brought_by(image),
              ElementsAre("threads", "futex calls by syscall()", "inline system calls (futex x1, others x0)"));
}

TEST(LoadedLibraries, ReadsTheLoadersList) {
  const auto list = parse_loader_list(
      "\tlinux-vdso.so.1 (0x1)\n\tliba.so => /x y/liba.so (0x2)\n\tlibb.so => not found\n\t/lib64/ld-linux-x86-64.so.2 "
      "(0x3)\n");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "liba.so");
  EXPECT_EQ(list[0].path, "/x y/liba.so");
  EXPECT_EQ(list[1].path, "");
  EXPECT_TRUE(parse_loader_list(" => ").empty() || parse_loader_list(" => ")[0].path.empty());
}

}  // namespace
}  // namespace snarl::explore
