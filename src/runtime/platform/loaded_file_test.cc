#include "runtime/platform/loaded_file.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <string>
#include <vector>

namespace snarl::runtime {
namespace {

struct Named {
  std::string path;
  LoadedFile file;
};

int add(dl_phdr_info* info, size_t, void* data) {
  static_cast<std::vector<Named>*>(data)->push_back({info->dlpi_name, LoadedFile(*info)});
  return 0;
}

// As the loader lists them: the program first.
std::vector<Named> files() {
  std::vector<Named> result;
  dl_iterate_phdr(add, &result);
  return result;
}

LoadedFile libc() {
  for (const Named& named : files())
    if (named.path.find("/libc.so.6") != std::string::npos) return named.file;
  ADD_FAILURE() << "no libc";
  return files().front().file;
}

uint64_t found(const SymbolName& name) {
  const LoadedFile file = libc();
  const Elf64_Sym* symbol = file.find(name);
  return symbol == nullptr ? 0 : file.address_of(*symbol);
}

// Not RTLD_NEXT: a sanitizer may stand before libc.
uint64_t loaders(const char* name, const char* version) {
  return reinterpret_cast<uint64_t>(dlvsym(dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), name, version));
}

TEST(LoadedFile, finds_the_version_that_is_asked_for) {
  const uint64_t old = found(SymbolName("pthread_cond_wait", "GLIBC_2.2.5"));
  const uint64_t current = found(SymbolName("pthread_cond_wait", "GLIBC_2.3.2"));
  EXPECT_NE(old, current);
  EXPECT_EQ(old, loaders("pthread_cond_wait", "GLIBC_2.2.5"));
  EXPECT_EQ(current, loaders("pthread_cond_wait", "GLIBC_2.3.2"));
}

// Unlike dlsym, which gives the newest.
TEST(LoadedFile, without_a_version_the_oldest_is_meant) {
  EXPECT_EQ(found(SymbolName("pthread_cond_wait")), found(SymbolName("pthread_cond_wait", "GLIBC_2.2.5")));
}

TEST(LoadedFile, finds_nothing_else) {
  EXPECT_EQ(found(SymbolName("pthread_cond_wait", "GLIBC_9.9")), 0u);
  EXPECT_EQ(found(SymbolName("a name that nobody has")), 0u);
  EXPECT_EQ(found(SymbolName("")), 0u);
}

TEST(LoadedFile, knows_indirect_functions) {
  const LoadedFile file = libc();
  const Elf64_Sym* symbol = file.find(SymbolName("memcpy", "GLIBC_2.14"));
  ASSERT_NE(symbol, nullptr);
  EXPECT_EQ(ELF64_ST_TYPE(symbol->st_info), static_cast<unsigned>(STT_GNU_IFUNC));
}

TEST(LoadedFile, calls_have_names_and_slots) {
  const LoadedFile file = libc();
  ASSERT_GT(file.call_count(), 0u);
  for (size_t i = 0; i < file.call_count(); ++i) {
    if (ELF64_R_TYPE(file.call(i).r_info) != R_X86_64_JUMP_SLOT) continue;
    EXPECT_NE(*file.name_of_called(i).text, '\0');
    EXPECT_NE(file.name_of_called(i).version, nullptr) << file.name_of_called(i).text;
  }
}

TEST(LoadedFile, tells_code_from_what_can_be_written) {
  static int written;
  const LoadedFile program = files().front().file;
  const uint64_t code = reinterpret_cast<uint64_t>(&files), data = reinterpret_cast<uint64_t>(&written);
  EXPECT_TRUE(program.is_code(code));
  EXPECT_FALSE(program.is_writable(code));
  EXPECT_TRUE(program.is_writable(data));
  EXPECT_FALSE(program.is_code(data));
  EXPECT_FALSE(libc().is_code(code));
}

TEST(LoadedFile, the_program_needs_libc_but_not_the_reverse) {
  const LoadedFile program = files().front().file;
  EXPECT_TRUE(program.needs(libc()));
  EXPECT_FALSE(libc().needs(program));
}

}  // namespace
}  // namespace snarl::runtime
