#include "symbolize/symbolizer.h"

#include <gtest/gtest.h>

#include "symbolize/names.h"
#include "symbolize/paths.h"
#include "symbolize/test_program.h"

namespace snarl::symbolize {
namespace {

constexpr std::string_view kSource = R"(#include <functional>
#include <thread>
namespace bank {
struct Account {
  int balance = 0;
  __attribute__((always_inline)) inline void deposit(int n) {
    balance += n; MARK(deposit);
  }
  __attribute__((noinline)) void withdraw(int n);
};
void Account::withdraw(int n) {
  balance -= n;   MARK(withdraw);
}
}
namespace {
__attribute__((noinline)) int hidden(bank::Account& a) {
  MARK(hidden);
  return a.balance;
}
}
template <typename T>
__attribute__((always_inline)) inline void twice(bank::Account& a, T n) {
    a.deposit(n + n);
}
__attribute__((noinline)) void save(bank::Account& a) {
  twice(a, 3);
}
int main(int argc, char**) {
  bank::Account a;
  save(a);
  a.withdraw(argc);
  auto work = [&] { MARK(lambda); return hidden(a); };
  std::thread t(work);
  t.join();
  std::invoke([&](int x) __attribute__((always_inline)) { a.balance += x; MARK(invoked); }, argc);
  return a.balance;
}
)";

std::vector<std::string> builds() {
  std::vector<std::string> all;
  for (const std::string& compiler : test_compilers()) {
    for (const char* flags : {"-g -O0", "-g -O2", "-gdwarf-4 -O2", "-gdwarf-4 -O0 -no-pie -fno-pie",
                              "-g -O2 -no-pie -fno-pie", "-g -O2 -ffunction-sections", "-g -O2 -gz"}) {
      all.push_back(compiler + " " + flags);
    }
  }
  return all;
}

class EveryBuild : public testing::TestWithParam<std::string> {
 protected:
  Place at(const std::string& mark) { return symbolizer_.place({program_.program()}, program_.symbol("mark_" + mark)); }

  // The frame that stands where the source has `text`.
  void expect(const Frame& frame, const char* brief, const std::string& text) {
    EXPECT_EQ(short_function_name(frame.function), brief) << frame.function;
    EXPECT_EQ(frame.file, program_.source());
    EXPECT_EQ(frame.line, program_.line_of(text));
    EXPECT_EQ(frame.column, program_.column_of(text));
    EXPECT_FALSE(frame.system);
  }

  const TestProgram& program_ = compiled_once(GetParam(), kSource);
  Symbolizer symbolizer_;
};

TEST_P(EveryBuild, NamesAPlainFunction) {
  const Place place = at("withdraw");
  ASSERT_EQ(place.frames.size(), 1U);
  expect(place.frames[0], "bank::Account::withdraw", "MARK(withdraw)");
  EXPECT_EQ(place.frames[0].function, "bank::Account::withdraw(int)");
  EXPECT_FALSE(place.frames[0].inlined);
  EXPECT_FALSE(place.stale);
  EXPECT_EQ(place.module, program_.program());
}

TEST_P(EveryBuild, ListsInlinedCallsInnermostFirst) {
  const Place place = at("deposit");
  ASSERT_EQ(place.frames.size(), 3U);
  expect(place.frames[0], "bank::Account::deposit", "MARK(deposit)");
  EXPECT_EQ(short_function_name(place.frames[1].function), "twice");
  EXPECT_EQ(place.frames[1].line, program_.line_of("a.deposit(n + n)"));
  EXPECT_EQ(short_function_name(place.frames[2].function), "save");
  EXPECT_EQ(place.frames[2].line, program_.line_of("twice(a, 3)"));
  EXPECT_TRUE(place.frames[0].inlined && place.frames[1].inlined && !place.frames[2].inlined);
  EXPECT_GT(place.frames[1].column, 0);
  EXPECT_GT(place.frames[2].column, 0);
}

TEST_P(EveryBuild, NamesInternalFunctionsAndLambdas) {
  expect(at("hidden").frames[0], "hidden", "MARK(hidden)");
  const Place lambda = at("lambda");
  expect(lambda.frames[0], "main::{lambda}", "MARK(lambda)");
  EXPECT_EQ(lambda.frames[0].begins, lambda.frames[0].line);
  EXPECT_EQ(at("hidden").frames[0].begins, 0) << "it is no lambda";
  const Place invoked = at("invoked");
  expect(invoked.frames[0], "main::{lambda}", "MARK(invoked)");
  EXPECT_TRUE(invoked.frames[0].inlined);
  ASSERT_GE(invoked.frames.size(), 2U);
  EXPECT_EQ(short_function_name(invoked.frames[1].function), "std::__invoke_impl");
  EXPECT_TRUE(invoked.frames[1].system);
}

TEST_P(EveryBuild, LooksBeforeAReturnAddress) {
  const uint64_t behind = program_.symbol("mark_withdraw") + 1;  // the mark is a nop of one byte
  const Place place = symbolizer_.place({program_.program()}, behind, PcKind::kReturnAddress);
  expect(place.frames[0], "bank::Account::withdraw", "MARK(withdraw)");
  EXPECT_EQ(place.offset, behind);
}

INSTANTIATE_TEST_SUITE_P(Symbolizer, EveryBuild, testing::ValuesIn(builds()));

TEST(Symbolizer, FindsSplitDwarf) {
  for (const std::string& compiler : test_compilers()) {
    TestProgram program;
    program.compile(compiler, "-g -gsplit-dwarf -O2", kSource);
    Symbolizer symbolizer;
    const Place place = symbolizer.place({program.program()}, program.symbol("mark_deposit"));
    ASSERT_EQ(place.frames.size(), 3U) << compiler;
    EXPECT_EQ(place.frames[0].file, program.source());
    EXPECT_EQ(place.frames[0].line, program.line_of("MARK(deposit)"));
    EXPECT_EQ(place.frames[1].file, program.source());
    EXPECT_EQ(place.frames[2].line, program.line_of("twice(a, 3)"));
  }
}

TEST(Symbolizer, FindsLinkTimeOptimizedCode) {
  TestProgram program;
  program.compile(test_compilers()[0], "-g -O2 -flto", kSource);
  Symbolizer symbolizer;
  const Place place = symbolizer.place({program.program()}, program.symbol("mark_deposit"));
  ASSERT_GE(place.frames.size(), 3U);
  EXPECT_EQ(short_function_name(place.frames[0].function), "bank::Account::deposit");
  EXPECT_EQ(place.frames[0].line, program.line_of("MARK(deposit)"));
  EXPECT_EQ(short_function_name(place.frames[1].function), "twice");
}

TEST(Symbolizer, FindsCodeOfASharedLibrary) {
  for (const std::string& compiler : test_compilers()) {
    TestProgram program;
    program.compile(compiler, "-g -O2 -shared -fPIC", "int shared_work(int n) {\n  MARK(here);\n  return n;\n}\n");
    Symbolizer symbolizer;
    const Place place = symbolizer.place({program.program()}, program.symbol("mark_here"));
    EXPECT_EQ(place.frames[0].function, "shared_work(int)");
    EXPECT_EQ(place.frames[0].line, 2);
    EXPECT_EQ(place.frames[0].column, 3);
  }
}

TEST(Symbolizer, CodeWithoutALineIsWhereItsFunctionIs) {
  TestProgram program;
  program.compile(
      test_compilers()[0], "-g -O2",
      "int before(int n) {\n  return n;\n}\n"
      "__attribute__((noinline, noclone)) void lost() {\n#line 0\n  MARK(lost);\n}\nint main() { lost(); }\n");
  Symbolizer symbolizer;
  const Place place = symbolizer.place({program.program()}, program.symbol("mark_lost"));
  EXPECT_EQ(short_function_name(place.frames[0].function), "lost");
  EXPECT_EQ(place.frames[0].line, 4);
}

TEST(Symbolizer, JoinsRelativePathsWithTheCompilationDirectory) {
  TestProgram program;
  program.compile(test_compilers()[0], "-g", kSource);  // compiled as "main.cc" in the folder
  Symbolizer symbolizer;
  const Place place = symbolizer.place({program.program()}, program.symbol("mark_hidden"));
  EXPECT_EQ(place.frames[0].file, program.folder() + "/main.cc");
  EXPECT_EQ(display_path(place.frames[0].file, program.folder()), "main.cc");
}

TEST(Symbolizer, KnowsLibcAsSystemCode) {
  Symbolizer symbolizer;
  const Place place = symbolizer.place({"/lib/x86_64-linux-gnu/libc.so.6"}, 0x1);
  ASSERT_EQ(place.frames.size(), 1U);
  EXPECT_TRUE(place.frames[0].system);
  EXPECT_EQ(place.frames[0].function, "libc.so.6+0x1");
}

Place place_of(std::vector<Frame> frames) { return {"m", 0, std::move(frames), false}; }

TEST(FirstUserFrame, SkipsSystemCodeAndPrefersSource) {
  const Frame system{"std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100, 1, true, true};
  const Frame bare{"plugin+0x10", "", 0, 0, false, false};
  const Frame user{"transfer(int)", "/app/bank.cc", 12, 3, false, false};
  const std::vector<Place> stack = {place_of({system}), place_of({bare}), place_of({system, user})};
  EXPECT_EQ(first_user_frame(stack)->function, "transfer(int)");
  EXPECT_EQ(first_user_frame(std::span(stack).first(2))->function, "plugin+0x10");
  EXPECT_EQ(first_user_frame(std::span(stack).first(1)), nullptr);
  EXPECT_EQ(first_user_frame({}), nullptr);
}

}  // namespace
}  // namespace snarl::symbolize
