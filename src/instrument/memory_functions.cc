// Functions of libc that read and write memory, called from code that was linked with the hooks. `snarl cc` tells the
// linker (--wrap) to use these instead, so other programs pay nothing. Each call is one access, or two: the bytes
// themselves are copied without a point between them.
#include <string.h>

#include "instrument/hooks.h"

#define SNARL_REAL(result, name, ...) extern "C" result __real_##name(__VA_ARGS__)

SNARL_REAL(void*, memcpy, void*, const void*, size_t);
SNARL_REAL(void*, memmove, void*, const void*, size_t);
SNARL_REAL(void*, memset, void*, int, size_t);
SNARL_REAL(int, memcmp, const void*, const void*, size_t);
SNARL_REAL(size_t, strlen, const char*);
SNARL_REAL(char*, strcpy, char*, const char*);
SNARL_REAL(char*, strncpy, char*, const char*, size_t);
SNARL_REAL(int, strcmp, const char*, const char*);

namespace snarl::instrument {
namespace {

SNARL_INLINE void reads(uint64_t pc, const void* from, size_t size) { access(OpKind::kRead, pc, from, size); }
SNARL_INLINE void writes(uint64_t pc, void* to, size_t size) { access(OpKind::kWrite, pc, to, size); }

// These look at the texts of a call before its point, where the program has not read them yet, so they must not fault.
SNARL_OWN char byte_at(const char* at) { return static_cast<char>(block->look(reinterpret_cast<uint64_t>(at), 1)); }

// As far as strcmp reads.
SNARL_OWN size_t compared(const char* a, const char* b) {
  size_t size = 1;
  for (char c; (c = byte_at(a)) != '\0' && c == byte_at(b); ++a, ++b) ++size;
  return size;
}

bool has_zero(uint64_t word) { return ((word - 0x0101010101010101) & ~word & 0x8080808080808080) != 0; }

// The length up to its zero, at most `most`.
SNARL_OWN size_t bytes_of(const char* text, size_t most) {
  for (size_t i = 0; i < most;) {
    const auto at = reinterpret_cast<uint64_t>(text + i);
    if (at % 8 == 0 && most - i >= 8 && !has_zero(block->look(at, 8)))
      i += 8;
    else if (byte_at(text + i++) == '\0')
      return i;
  }
  return most;
}

constexpr size_t kAny = ~size_t{0};

}  // namespace

SNARL_TSAN void* __wrap_memcpy(void* to, const void* from, size_t size) {
  reads(SNARL_TSAN_PC, from, size);
  writes(SNARL_TSAN_PC, to, size);
  return __real_memcpy(to, from, size);
}

SNARL_TSAN void* __wrap_memmove(void* to, const void* from, size_t size) {
  reads(SNARL_TSAN_PC, from, size);
  writes(SNARL_TSAN_PC, to, size);
  return __real_memmove(to, from, size);
}

SNARL_TSAN void* __wrap_memset(void* to, int value, size_t size) {
  writes(SNARL_TSAN_PC, to, size);
  return __real_memset(to, value, size);
}

SNARL_TSAN int __wrap_memcmp(const void* a, const void* b, size_t size) {
  reads(SNARL_TSAN_PC, a, size);
  reads(SNARL_TSAN_PC, b, size);
  return __real_memcmp(a, b, size);
}

// The length of a text shows only when it is read, so it is determined before the point and once more after it.
SNARL_TSAN size_t __wrap_strlen(const char* text) {
  if (block != nullptr) reads(SNARL_TSAN_PC, text, bytes_of(text, kAny));
  return __real_strlen(text);
}

SNARL_TSAN char* __wrap_strcpy(char* to, const char* from) {
  if (block != nullptr) {
    reads(SNARL_TSAN_PC, from, bytes_of(from, kAny));
    writes(SNARL_TSAN_PC, to, bytes_of(from, kAny));
  }
  return __real_strcpy(to, from);
}

SNARL_TSAN char* __wrap_strncpy(char* to, const char* from, size_t size) {
  if (block != nullptr) {
    reads(SNARL_TSAN_PC, from, bytes_of(from, size));
    writes(SNARL_TSAN_PC, to, size);
  }
  return __real_strncpy(to, from, size);
}

SNARL_TSAN int __wrap_strcmp(const char* a, const char* b) {
  if (block != nullptr) {
    const size_t size = compared(a, b);
    reads(SNARL_TSAN_PC, a, size);
    reads(SNARL_TSAN_PC, b, size);
  }
  return __real_strcmp(a, b);
}

}  // namespace snarl::instrument
