// SNARL_TEST beside GoogleTest's TEST: a test whose body runs under many schedules. Included by snarl/snarl.h if
// gtest/gtest.h was before, or where SNARL_WITH_GTEST is defined (CMake: snarl::gtest does that).
#ifndef SNARL_GTEST_H
#define SNARL_GTEST_H

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <snarl/snarl.h>

#include <cstdio>
#include <string>

namespace snarl {
namespace detail {

// In the child: the first failed expectation ends the schedule, in whichever thread it happens.
class FailAtOnce : public testing::ScopedFakeTestPartResultReporter {
 public:
  FailAtOnce() : ScopedFakeTestPartResultReporter(INTERCEPT_ALL_THREADS, &none_) {}
  void ReportTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::string text = result.message();
    if (result.file_name() != nullptr)
      text = std::string(result.file_name()) + ":" + std::to_string(result.line_number()) + ": " + text;
    snarl_fail(0, text.c_str());
  }

 private:
  testing::TestPartResultArray none_;
};

inline void prepare_for_gtest() { new FailAtOnce; }  // never deleted: the child ends without cleaning up

// Options come from the environment (snarl/snarl.h), not from GoogleTest's flags.
inline void run_gtest(const char* suite, const char* name, const char* file, int line, void (*body)()) {
  Options options;
  options.name = std::string(suite) + "." + name;
  const std::string filter = "--gtest_filter=" + options.name;
  const Result result = explore(options, body, filter.c_str(), prepare_for_gtest);
  if (!result.passed) ADD_FAILURE_AT(file, line) << result.report;
  if (!result.tested.empty()) std::printf("[  SNARL   ] %s: %s\n", options.name.c_str(), result.tested.c_str());
  if (!result.note.empty()) std::printf("[  SNARL   ] %s\n", result.note.c_str());
  std::fflush(stdout);  // GoogleTest may write its own lines to another stream
  testing::Test::RecordProperty("snarl_schedules", std::to_string(result.schedules));
  testing::Test::RecordProperty("snarl_reset", result.reset);
  testing::Test::RecordProperty("snarl_points", result.points);
}

}  // namespace detail
}  // namespace snarl

// A TEST whose body runs under many schedules of its threads. ASSERT_*, EXPECT_* and FAIL work in any thread of it; the
// first failure ends the schedule.
#define SNARL_TEST(suite, name)                                                                                       \
  struct suite##_##name##_Snarl {                                                                                     \
    static void body();                                                                                               \
  };                                                                                                                  \
  TEST(suite, name) { ::snarl::detail::run_gtest(#suite, #name, __FILE__, __LINE__, &suite##_##name##_Snarl::body); } \
  void suite##_##name##_Snarl::body()

#endif  // SNARL_GTEST_H
