#include "symbolize/function_list.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "symbolize/test_program.h"

namespace snarl::symbolize {
namespace {

// Enough of a pattern for these tests: the whole text, or the beginning of it and a star.
bool fits(std::string_view pattern, std::string_view text) {
  return pattern.ends_with('*') ? text.starts_with(pattern.substr(0, pattern.size() - 1)) : pattern == text;
}

bool means(std::string_view pattern, const std::string& symbol, const std::string& name) {
  return is_named({1, symbol, name}, pattern, fits);
}

TEST(FunctionList, FormsOfAName) {
  const std::string symbol = "_ZN3app5queueIiE4pushEi", name = "void app::queue<int>::push(int)";
  for (const char* pattern : {"push", "queue::push", "app::queue::push", "queue::*", "_ZN3app5queueIiE4pushEi",
                              "void app::queue<int>::push(int)", "void app::queue<int>::push"})
    EXPECT_TRUE(means(pattern, symbol, name)) << pattern;
  for (const char* pattern : {"pus", "ueue::push", "app::push", "push(long)", "queue"})
    EXPECT_FALSE(means(pattern, symbol, name)) << pattern;
  EXPECT_TRUE(means("main", "main", "main"));
}

TEST(FunctionList, OfAFile) {
  TestProgram program;
  program.compile(test_compilers()[0], "-g -O2", R"(
namespace app { __attribute__((noinline)) int twice(int n) { return n * 2; } }
static inline __attribute__((always_inline)) int gone(int n) { return n + 3; }
int main(int argc, char**) { return app::twice(gone(argc)); }
)");
  const auto has = [](const std::vector<FunctionSymbol>& list, std::string_view name) {
    return std::ranges::any_of(list, [=](const FunctionSymbol& f) { return f.name == name; });
  };
  const auto own = list_functions(program.program());
  EXPECT_TRUE(has(own, "app::twice(int)"));
  EXPECT_TRUE(has(own, "main"));
  EXPECT_FALSE(has(own, "gone"));
  EXPECT_TRUE(has(list_inlined_functions(program.program()), "gone"));
  EXPECT_TRUE(list_functions("/no/such/file").empty());
  EXPECT_TRUE(list_inlined_functions("/no/such/file").empty());
}

}  // namespace
}  // namespace snarl::symbolize
