#include "cli/compile_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

const CompileTools kGcc{"gcc", false, "/lib/hooks.a", "/lib/stand"};
const CompileTools kClang{"clang", true, "/lib/hooks.a", "/lib/stand"};

TEST(CompileCommand, SanitizersThatExcludeTheHooks) {
  EXPECT_EQ(excluded_sanitizer({"-O1", "-fsanitize=undefined,address"}), "-fsanitize=undefined,address");
  EXPECT_EQ(excluded_sanitizer({"-fsanitize=undefined", "-fsanitize-address-use-after-scope", "-fsanitize=bounds"}),
            "");
}

TEST(CompileCommand, KnowsWhatLinks) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"a.c"},
                                                                                     {"-o", "a", "a.o"},
                                                                                     {"-x", "c", "-"},
                                                                                     {"@list"},
                                                                                     {"-shared", "a.o"},
                                                                                     {"-O2", "a.c", "-lm"},
                                                                                     {"-Wl,-r", "a.o"}})
    EXPECT_TRUE(links(words)) << words[0];
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"-c", "a.c"},
                                                                                     {"a.c", "-S"},
                                                                                     {"-E", "a.c"},
                                                                                     {"-MM", "a.c"},
                                                                                     {"--version"},
                                                                                     {"-v"},
                                                                                     {"-o", "a"},
                                                                                     {},
                                                                                     {"-print-file-name=libc.a"},
                                                                                     {"-dumpversion"},
                                                                                     {"-fsyntax-only", "a.c"},
                                                                                     {"-r", "a.o", "-o", "b.o"}})
    EXPECT_FALSE(links(words)) << (words.empty() ? "" : words[0]);
}

TEST(CompileCommand, CompilingOnlyGetsNoLibrary) {
  EXPECT_THAT(compile_command({"-O2", "-c", "a.c"}, kGcc),
              ElementsAre("gcc", "-fsanitize=thread", "-Wno-tsan", "-g", "-fno-builtin-memcpy", "-fno-builtin-memmove",
                          "-fno-builtin-memset", "-O2", "-c", "a.c"));
  EXPECT_THAT(compile_command({"-c", "a.c"}, kClang), Contains("-fno-vectorize"));
  EXPECT_THAT(compile_command({"-c", "a.c"}, kClang), Not(Contains("-Xlinker")));
}

TEST(CompileCommand, LinkingEndsWithTheHooks) {
  const std::vector<std::string> gcc = compile_command({"a.c", "-o", "a"}, kGcc);
  EXPECT_THAT(gcc, Contains("-B/lib/stand"));
  EXPECT_EQ(gcc[gcc.size() - 2], "/lib/hooks.a");
  EXPECT_EQ(gcc[gcc.size() - 3], "-Xlinker");
  EXPECT_TRUE(gcc[gcc.size() - 4].starts_with("-Wl,--wrap=memcpy,"));
  EXPECT_THAT(compile_command({"a.c"}, kClang), Contains("-fno-sanitize-link-runtime"));
}

}  // namespace
}  // namespace snarl::cli
