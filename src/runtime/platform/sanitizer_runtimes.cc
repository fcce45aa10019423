#include "runtime/platform/sanitizer_runtimes.h"

#include "base/state_marks.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE bool found_asan, found_tsan;

}  // namespace

void look_for_sanitizer_runtime(const LoadedFile& file) {
  found_asan |= file.find(SymbolName("__asan_init")) != nullptr;
  found_tsan |= file.find(SymbolName("__tsan_get_current_report")) != nullptr;
}

bool has_asan() { return found_asan; }
bool has_tsan() { return found_tsan; }

}  // namespace snarl::runtime
