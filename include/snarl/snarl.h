// snarl for unit tests: runs a piece of code under many schedules of its threads.
//
//   snarl::Result r = snarl::explore({}, [] {
//     Account account{1000};
//     std::thread a([&] { account.withdraw(500); });
//     std::thread b([&] { account.withdraw(700); });
//     a.join();
//     b.join();
//     if (account.balance() < 0) snarl::fail("overdrawn");
//   });
//   if (!r) std::cerr << r.report;
//
// The body uses plain std::thread, std::mutex, pthread_*, ...: nothing is wrapped. Link with libsnarl (CMake:
// snarl::snarl, and snarl::gtest for SNARL_TEST; pkg-config: snarl). Schedules run in child processes, so a body that
// crashes or deadlocks does not take the test program along. Needs C++17, Linux on x86-64 and glibc. docs/library.md
#ifndef SNARL_SNARL_H
#define SNARL_SNARL_H

#include <snarl/c.h>
#include <snarl/point.h>

#ifdef __cplusplus
#include <chrono>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#if defined(__cpp_exceptions)
#include <cxxabi.h>

#include <stdexcept>
#endif

namespace snarl {

// What to try, and for how long: the first limit that is reached ends the exploration. The environment has the last
// word (SNARL_POLICY, SNARL_SCHEDULES, SNARL_FOR, SNARL_TIMEOUT, SNARL_STEPS, SNARL_SEED, SNARL_RESET, SNARL_REPLAY,
// SNARL_POINTS, SNARL_RACES, SNARL_ORDERS), so a longer search or a replay needs no new build.
struct Options {
  std::string policy = {};  // default: hold, with some schedules of surw, pct:depth=3 and pos
  uint64_t schedules = 10000;
  std::chrono::duration<double> time{10};     // for all schedules together
  std::chrono::duration<double> timeout{10};  // for one
  uint64_t steps = 1000000;                   // of one schedule
  uint64_t seed = 0;                          // the same seed tries the same schedules
  std::string name = {};                      // of the test: a replay string fits only this test
  std::string replay = {};                    // follow this schedule instead of trying new ones
  bool heap = false;                          // a body that does not free all its memory gets a process per schedule
  bool fork = false;                          // a process per schedule in any case
  bool gates = false;                         // real threads, which is slower
  std::string points = {};  // "sync": calls alone are schedule points; default: all that the build allows
};

// The result of an exploration. True if no schedule failed.
struct Result {
  bool passed = true;
  uint64_t schedules = 0;
  uint64_t distinct = 0;  // about this many of them were different
  double seconds = 0;
  uint32_t threads = 0;        // n: the most that were seen, including the one that runs the body
  uint64_t steps = 0;          // k: the most steps
  std::string kind = {};       // of the failure: "deadlock", "signal", "check", "exception", ...
  std::string summary = {};    // the failure in one line
  std::string report = {};     // the failure in full
  std::string replay = {};     // "SN2-...", for replay()
  std::string reset = {};      // "none": all schedules in one process; "fork": a process for each ...
  std::string reset_why = {};  // ... and why
  std::string switching = {};  // "fibers": threads share one OS thread, in turn; "gates": they are real ones, in turn
  std::string note = {};       // what else is worth knowing; often empty
  std::string points = {};     // which schedule points there were: "sync,atomic,user"; with snarl c++, "memory" too
  std::string tested = {};     // how many schedules with which points, in one line

  explicit operator bool() const { return passed; }
};

// The running schedule fails here. Outside of a body, the program ends.
[[noreturn]] inline void fail(const std::string& why) { snarl_fail(0, why.c_str()); }

namespace detail {

#if defined(__cpp_exceptions)
[[noreturn]] inline void fail_by(const std::exception& exception) {
  std::string text = exception.what();
#if defined(__cpp_rtti)
  int status = 0;
  char* name = abi::__cxa_demangle(typeid(exception).name(), nullptr, nullptr, &status);
  if (name != nullptr) text = std::string(name) + ": " + text;
#endif
  snarl_fail(1, text.c_str());
}
#endif

// An exception ends the schedule here: the callers belong to the test program, which waits in another process.
template <typename F>
void call(void* body) {
#if defined(__cpp_exceptions)
  try {
    (*static_cast<F*>(body))();
  } catch (abi::__forced_unwind&) {  // pthread_exit, cancellation
    throw;
  } catch (const std::exception& exception) {
    fail_by(exception);
  } catch (...) {
    snarl_fail(1, "an exception that is no std::exception");
  }
#else
  (*static_cast<F*>(body))();
#endif
}

inline const char* text_or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

inline Result taken(snarl_result& from) {
  Result result;
  result.passed = from.passed != 0;
  result.schedules = from.schedules;
  result.distinct = from.distinct;
  result.seconds = from.seconds;
  result.threads = from.threads;
  result.steps = from.steps;
  result.kind = from.kind;
  result.summary = from.summary;
  result.report = from.report;
  result.replay = from.replay;
  result.reset = from.reset;
  result.reset_why = from.reset_why;
  result.switching = from.switching;
  result.note = from.note;
  if (from.points != nullptr) result.points = from.points;
  if (from.tested != nullptr) result.tested = from.tested;
  snarl_free(&from);
  return result;
}

template <typename F>
Result explore(const Options& options, F& body, const char* filter, void (*prepare)()) {
  snarl_options given = {};
  given.size = sizeof given;
  given.policy = text_or_null(options.policy);
  given.schedules = options.schedules;
  given.seconds = options.time.count();
  given.timeout = options.timeout.count();
  given.steps = options.steps;
  given.seed = options.seed;
  given.name = text_or_null(options.name);
  given.filter = filter;
  given.replay = text_or_null(options.replay);
  given.heap = options.heap;
  given.fork = options.fork;
  given.gates = options.gates;
  given.prepare = prepare;
  given.points = text_or_null(options.points);
  given.result_size = sizeof(snarl_result);
  snarl_result result = {};
  if constexpr (std::is_function_v<F>) {
    F* pointer = &body;
    snarl_explore(&given, &call<F*>, &pointer, &result);
  } else {
    snarl_explore(&given, &call<F>, const_cast<void*>(static_cast<const void*>(&body)), &result);
  }
  return taken(result);
}

}  // namespace detail

// Calls `body` under one schedule after another, until one fails or a limit is reached.
template <typename F>
Result explore(const Options& options, F&& body) {
  return detail::explore(options, body, nullptr, nullptr);
}

// Calls `body` once, under the schedule of that replay string. Passes if it does not fail.
template <typename F>
Result replay(F&& body, const std::string& schedule) {
  Options options;
  options.replay = schedule;
  return detail::explore(options, body, nullptr, nullptr);
}

#if defined(__cpp_exceptions)
// What check() throws; what() is the report.
class Failure : public std::runtime_error {
 public:
  explicit Failure(Result result) : std::runtime_error(result.report), result_(std::move(result)) {}
  const Result& result() const noexcept { return result_; }

 private:
  Result result_;
};
#endif

// As explore, for code without a test framework: a failure is thrown (without exceptions, it is printed and the program
// ends).
template <typename F>
Result check(const Options& options, F&& body) {
  Result result = explore(options, body);
  if (result.passed) return result;
#if defined(__cpp_exceptions)
  throw Failure(std::move(result));
#else
  snarl_fail(0, result.report.c_str());
#endif
}
template <typename F>
Result check(F&& body) {
  return check(Options{}, body);
}

namespace detail {

// One per SNARL_SOMETIMES, known before main, so that one that is never reached counts as never true.
template <typename Here>
struct Site {
  static inline const int number = snarl_register_sometimes(Here::text(), Here::file(), Here::line(), Here::function());
};

}  // namespace detail
}  // namespace snarl

// Should be true in at least one schedule. Result::note names those that never were.
#define SNARL_SOMETIMES(condition, what)                             \
  do {                                                               \
    struct SnarlHere {                                               \
      static const char* text() { return what; }                     \
      static const char* file() { return __FILE__; }                 \
      static int line() { return __LINE__; }                         \
      static const char* function() { return __PRETTY_FUNCTION__; }  \
    };                                                               \
    const int snarl_site = ::snarl::detail::Site<SnarlHere>::number; \
    snarl_sometimes(snarl_site, (condition) ? 1 : 0);                \
  } while (false)

// SNARL_TEST, for those who have included gtest/gtest.h before.
#if defined(SNARL_WITH_GTEST) || defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_) || defined(GTEST_INCLUDE_GTEST_GTEST_H_)
#include <snarl/gtest.h>
#endif

#endif  // __cplusplus
#endif  // SNARL_SNARL_H
