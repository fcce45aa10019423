#include "runtime/reset/learning.h"

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/reset/used_code.h"
#include "runtime/reset/written_pages.h"

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* library) noexcept;

namespace snarl::runtime::learning {
namespace {

// The first three runs are for the profile, without which no fibers are ready: those learn that come later, ever fewer.
constexpr uint64_t kFirst = 4, kLast = 1024;
bool is_to_learn(uint64_t nth) { return nth >= kFirst && nth <= kLast && (nth & (nth - 1)) == 0; }

// To make code pages its own takes a server as long as a few copies.
constexpr uint64_t kFirstForCode = 16;

enum class Learns : uint8_t { kNothing, kWrites, kAll };
SNARL_PROCESS_STATE Learns learns;
SNARL_PROCESS_STATE long learner;  // the process that is to learn; 0: none

// The last that runs in a process that ends by exit; copies that the program made of it have another number.
void at_end(void*) {
  if (learner == 0 || learner != raw::call(SYS_getpid)) return;
  written_pages::note();
  if (learns == Learns::kAll) used_code::note();
}

}  // namespace

void watch_end() { __cxa_atexit(at_end, nullptr, nullptr); }

void before_copy(uint64_t nth) {
  written_pages::take_notes();
  used_code::take_notes();
  learns = !is_to_learn(nth) ? Learns::kNothing : nth < kFirstForCode ? Learns::kWrites : Learns::kAll;
  if (learns != Learns::kNothing) written_pages::list_areas();
  if (learns == Learns::kAll) used_code::list_files();
}

// Who learns must not ask, or what was wrong would be learned again.
void in_copy() {
  if (learns == Learns::kNothing) return written_pages::ask();
  learner = raw::call(SYS_getpid);
}

}  // namespace snarl::runtime::learning
