// SNARL_CHECK: an assertion about our own code. On in release builds.
//
// A failing check ends the process with a sentence and exit code 125, so that nobody takes our bug for the tested
// program's. It can be used inside a tested process: no malloc, no stdio, no lock.
#pragma once

namespace snarl {

[[noreturn]] void check_failed(const char* what, const char* file, int line);

}  // namespace snarl

#define SNARL_CHECK(condition) \
  (__builtin_expect(!!(condition), 1) ? (void)0 : ::snarl::check_failed(#condition, __FILE__, __LINE__))
