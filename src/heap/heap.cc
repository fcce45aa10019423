// Stands in front of malloc and operator new, only in runs with memory points: tells the runtime which bytes are new
// or gone, so that memory that passes from thread to thread does not look shared, and blocks have names in reports.
// Nothing else changes: whoever allocated before does so still.
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>

#include <cstddef>

#define SNARL_EXPORT extern "C" __attribute__((visibility("default")))
#define SNARL_PC reinterpret_cast<uint64_t>(__builtin_return_address(0))

extern "C" {
void snarl_rt_allocated(uint64_t address, uint64_t size, uint64_t pc) __attribute__((weak));
void snarl_rt_freed(uint64_t address, uint64_t size) __attribute__((weak));
}

namespace {

struct Real {
  void* (*malloc)(size_t);
  void* (*calloc)(size_t, size_t);
  void* (*realloc)(void*, size_t);
  void (*free)(void*);
  void* (*memalign)(size_t, size_t);
  void* (*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void**, size_t, size_t);
  void* (*make)(size_t);  // operator new: they throw
  void* (*make_array)(size_t);
  void* (*make_aligned)(size_t, size_t);
  void* (*make_array_aligned)(size_t, size_t);
};
Real real;
bool resolving;

// For what the loader itself allocates while it is asked for the real ones.
alignas(16) char first_bytes[1 << 14];
size_t first_used;

void* take_first(size_t size) {
  const size_t whole = (size + 15) & ~size_t{15};
  if (first_used + whole > sizeof first_bytes) return nullptr;
  void* block = first_bytes + first_used;
  first_used += whole;
  return block;
}

bool is_first(const void* block) { return block >= first_bytes && block < first_bytes + sizeof first_bytes; }

template <typename F>
void resolve(F*& function, const char* name) {
  function = reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

// False while the loader is being asked.
bool is_ready() {
  if (real.free != nullptr) return true;
  if (resolving) return false;
  resolving = true;
  resolve(real.malloc, "malloc");
  resolve(real.calloc, "calloc");
  resolve(real.realloc, "realloc");
  resolve(real.memalign, "memalign");
  resolve(real.aligned_alloc, "aligned_alloc");
  resolve(real.posix_memalign, "posix_memalign");
  resolve(real.make, "_Znwm");
  resolve(real.make_array, "_Znam");
  resolve(real.make_aligned, "_ZnwmSt11align_val_t");
  resolve(real.make_array_aligned, "_ZnamSt11align_val_t");
  resolve(real.free, "free");
  resolving = false;
  return true;
}

void* allocated(void* block, size_t size, uint64_t pc) {
  if (block != nullptr && snarl_rt_allocated != nullptr)
    snarl_rt_allocated(reinterpret_cast<uint64_t>(block), size, pc);
  return block;
}

void freed(void* block) {
  if (block != nullptr && snarl_rt_freed != nullptr)
    snarl_rt_freed(reinterpret_cast<uint64_t>(block), malloc_usable_size(block));
}

}  // namespace

SNARL_EXPORT void* malloc(size_t size) {
  if (!is_ready()) return take_first(size);
  return allocated(real.malloc(size), size, SNARL_PC);
}

SNARL_EXPORT void* calloc(size_t count, size_t size) {
  if (!is_ready()) return take_first(count * size);
  return allocated(real.calloc(count, size), count * size, SNARL_PC);
}

SNARL_EXPORT void* realloc(void* block, size_t size) {
  is_ready();
  if (is_first(block)) {
    void* copy = real.malloc(size);
    if (copy != nullptr) __builtin_memcpy(copy, block, size < 1024 ? size : 1024);
    return copy;
  }
  freed(block);
  void* result = real.realloc(block, size);
  return allocated(result, size, SNARL_PC);
}

SNARL_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  size_t whole;
  if (__builtin_mul_overflow(count, size, &whole)) {
    errno = ENOMEM;
    return nullptr;
  }
  freed(block);
  is_ready();
  return allocated(real.realloc(block, whole), whole, SNARL_PC);
}

SNARL_EXPORT void free(void* block) {
  if (is_first(block) || !is_ready()) return;
  freed(block);
  real.free(block);
}

SNARL_EXPORT void* memalign(size_t alignment, size_t size) {
  return is_ready() ? allocated(real.memalign(alignment, size), size, SNARL_PC) : nullptr;
}

SNARL_EXPORT void* valloc(size_t size) { return memalign(4096, size); }
SNARL_EXPORT void* pvalloc(size_t size) { return memalign(4096, (size + 4095) & ~size_t{4095}); }

SNARL_EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  return is_ready() ? allocated(real.aligned_alloc(alignment, size), size, SNARL_PC) : nullptr;
}

SNARL_EXPORT int posix_memalign(void** block, size_t alignment, size_t size) {
  if (!is_ready()) return ENOMEM;
  const int error = real.posix_memalign(block, alignment, size);
  if (error == 0) allocated(*block, size, SNARL_PC);
  return error;
}

// The program's call counts, not libstdc++'s inside it: told last. delete ends in free.
SNARL_EXPORT void* _Znwm(size_t size) { return is_ready() ? allocated(real.make(size), size, SNARL_PC) : nullptr; }
SNARL_EXPORT void* _Znam(size_t size) {
  return is_ready() ? allocated(real.make_array(size), size, SNARL_PC) : nullptr;
}
SNARL_EXPORT void* _ZnwmSt11align_val_t(size_t size, size_t alignment) {
  return is_ready() ? allocated(real.make_aligned(size, alignment), size, SNARL_PC) : nullptr;
}
SNARL_EXPORT void* _ZnamSt11align_val_t(size_t size, size_t alignment) {
  return is_ready() ? allocated(real.make_array_aligned(size, alignment), size, SNARL_PC) : nullptr;
}
