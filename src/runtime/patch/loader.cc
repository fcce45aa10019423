#include "runtime/patch/loader.h"

#include <link.h>

#include "base/state_marks.h"
#include "runtime/patch/empty_function.h"

namespace snarl::runtime::patch {
namespace {

SNARL_PROCESS_STATE void (*act)() = nullptr;

// In the thread that is in dlopen, with the loader's lock.
void on_change() {
  if (_r_debug.r_state == r_debug::RT_CONSISTENT) act();
}

}  // namespace

bool when_files_are_loaded(void (*then)()) {
  act = then;
  return lead_empty_function(_r_debug.r_brk, on_change);
}

}  // namespace snarl::runtime::patch
