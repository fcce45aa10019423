#include "runtime/reset/run_image.h"

#include <sys/mman.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"

// The linker's names for the bounds of the section.
extern "C" __attribute__((visibility("hidden"))) char __start_snarl_run[], __stop_snarl_run[];

namespace snarl::runtime::run_image {
namespace {

SNARL_PROCESS_STATE char* image = nullptr;

size_t size() { return static_cast<size_t>(__stop_snarl_run - __start_snarl_run); }

}  // namespace

bool keep() {
  const long at = raw::call(SYS_mmap, 0, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at < 0 && at > -4096) return false;
  image = reinterpret_cast<char*>(at);
  raw::copy(image, __start_snarl_run, size());
  return true;
}

void put_back() { raw::copy(__start_snarl_run, image, size()); }

}  // namespace snarl::runtime::run_image
