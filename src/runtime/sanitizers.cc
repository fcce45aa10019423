#include "runtime/sanitizers.h"

#include "runtime/loaded_file.h"

namespace snarl {
namespace {

bool found_asan, found_tsan;

int look_into(dl_phdr_info* info, size_t, void*) {
  const LoadedFile file(*info);
  found_asan |= file.find(SymbolName("__asan_init")) != nullptr;
  found_tsan |= file.find(SymbolName("__tsan_get_current_report")) != nullptr;
  return 0;
}

}  // namespace

void look_for_sanitizers() { dl_iterate_phdr(look_into, nullptr); }

bool has_asan() { return found_asan; }
bool has_tsan() { return found_tsan; }

}  // namespace snarl
