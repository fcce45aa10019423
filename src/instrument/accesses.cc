// Reads and writes in all forms that accesses.S does not have.
#include "instrument/hooks.h"

namespace snarl::instrument {

// The caller gives the place: made for interpreters.
#define SNARL_ACCESS_PC(size)                                              \
  SNARL_TSAN void __tsan_read##size##_pc(void* address, void* pc) {        \
    access(OpKind::kRead, reinterpret_cast<uint64_t>(pc), address, size);  \
  }                                                                        \
  SNARL_TSAN void __tsan_write##size##_pc(void* address, void* pc) {       \
    access(OpKind::kWrite, reinterpret_cast<uint64_t>(pc), address, size); \
  }

SNARL_ACCESS_PC(1)
SNARL_ACCESS_PC(2)
SNARL_ACCESS_PC(4)
SNARL_ACCESS_PC(8)
SNARL_ACCESS_PC(16)

SNARL_TSAN void __tsan_read_range(void* address, size_t size) { access(OpKind::kRead, SNARL_TSAN_PC, address, size); }
SNARL_TSAN void __tsan_write_range(void* address, size_t size) { access(OpKind::kWrite, SNARL_TSAN_PC, address, size); }
SNARL_TSAN void __tsan_read_range_pc(void* address, size_t size, void* pc) {
  access(OpKind::kRead, reinterpret_cast<uint64_t>(pc), address, size);
}
SNARL_TSAN void __tsan_write_range_pc(void* address, size_t size, void* pc) {
  access(OpKind::kWrite, reinterpret_cast<uint64_t>(pc), address, size);
}

// Constructors and destructors of a class hierarchy store the same pointer again and again: such a store changes
// nothing.
SNARL_TSAN void __tsan_vptr_update(void** address, void* value) {
  const auto at = reinterpret_cast<uint64_t>(address);
  if (block != nullptr && block->look(at, sizeof value) != reinterpret_cast<uint64_t>(value))
    access(OpKind::kWrite, SNARL_TSAN_PC, address, sizeof value);
}

// Newer compilers call these instead of libc's.
SNARL_TSAN void* __tsan_memcpy(void* to, const void* from, size_t size) {
  access(OpKind::kRead, SNARL_TSAN_PC, from, size);
  access(OpKind::kWrite, SNARL_TSAN_PC, to, size);
  return __builtin_memcpy(to, from, size);
}
SNARL_TSAN void* __tsan_memmove(void* to, const void* from, size_t size) {
  access(OpKind::kRead, SNARL_TSAN_PC, from, size);
  access(OpKind::kWrite, SNARL_TSAN_PC, to, size);
  return __builtin_memmove(to, from, size);
}
SNARL_TSAN void* __tsan_memset(void* to, int value, size_t size) {
  access(OpKind::kWrite, SNARL_TSAN_PC, to, size);
  return __builtin_memset(to, value, size);
}

}  // namespace snarl::instrument
