#include "runtime/platform/own_memory.h"

#include <sys/mman.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime {
namespace {

// Above what the rewinder and the fresh areas keep, below where the kernel places what names no address.
constexpr uint64_t kPlace = (uint64_t{1} << 45) + (uint64_t{1} << 36), kPage = 4096;

SNARL_PROCESS_STATE uint64_t next = kPlace;

}  // namespace

// An address is a wish: where something else lies there already, the kernel takes another.
void* map_own_memory(uint64_t size) {
  const long at =
      raw::call(SYS_mmap, next, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at < 0 && at > -4096) return nullptr;
  if (static_cast<uint64_t>(at) == next) next += (size + kPage - 1) / kPage * kPage;
  return reinterpret_cast<void*>(at);
}

}  // namespace snarl::runtime
