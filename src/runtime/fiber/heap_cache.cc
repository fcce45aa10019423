#include "runtime/fiber/heap_cache.h"

#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/uio.h>

#include <cstdint>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/text.h"

namespace snarl::runtime::fiber {
namespace {

SNARL_PROCESS_STATE uint64_t
    below;  // where the word that points to a thread's cache lies, from its thread pointer; 0: not known
SNARL_PROCESS_STATE bool looked;

struct Words {
  uint64_t* begin = nullptr;
  size_t count = 0;
};

int look_at(dl_phdr_info* module, size_t, void* data) {
  if (module->dlpi_tls_data == nullptr || !contains(module->dlpi_name, "/libc.so")) return 0;
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type == PT_TLS)
      *static_cast<Words*>(data) = {static_cast<uint64_t*>(module->dlpi_tls_data), segment.p_memsz / 8};
  }
  return 1;
}

Words thread_locals_of_libc() {
  Words words;
  dl_iterate_phdr(look_at, &words);
  return words;
}

// Whatever the word points to, if to anything: the kernel reads it for us.
bool points_to_one_that_holds(uint64_t word, uint64_t block) {
  uint64_t there[128];  // a cache is not larger
  iovec to{there, sizeof there}, from{reinterpret_cast<void*>(word), sizeof there};
  const long read = raw::call(SYS_process_vm_readv, raw::call(SYS_getpid), &to, 1, &from, 1, 0);
  for (long i = 0; i < read / 8; ++i)
    if (there[i] == block) return true;
  return false;
}

// A freed block is in the cache, and was not before.
uint64_t* find_pointer_to_cache() {
  constexpr size_t kSize = 600;  // no other list of libc's takes it as it is
  const Words words = thread_locals_of_libc();
  void* block = malloc(kSize);
  asm volatile("" : "+r"(block));  // the compiler must not do without
  const auto address = reinterpret_cast<uint64_t>(block);
  uint64_t held_before = 0;  // a bit for each word
  for (size_t i = 0; i < words.count && i < 64; ++i)
    held_before |= uint64_t{points_to_one_that_holds(words.begin[i], address)} << i;
  free(block);
  for (size_t i = 0; i < words.count && i < 64; ++i)
    if ((held_before >> i & 1) == 0 && points_to_one_that_holds(words.begin[i], address)) return &words.begin[i];
  return nullptr;
}

}  // namespace

uint64_t* pointer_to_heap_cache() {
  if (!looked) {
    looked = true;
    const auto word = reinterpret_cast<uint64_t>(find_pointer_to_cache());
    below = word == 0 ? 0 : pthread_self() - word;
  }
  return below == 0 ? nullptr : reinterpret_cast<uint64_t*>(pthread_self() - below);
}

void find_heap_cache() {
  mallopt(M_ARENA_MAX, 1);  // a thread that needs more than the cache has needs no heap of its own
  pointer_to_heap_cache();
}

void share_heap_cache(pthread_t with) {
  if (below == 0) return;
  *reinterpret_cast<uint64_t*>(with - below) = *reinterpret_cast<uint64_t*>(pthread_self() - below);
}

}  // namespace snarl::runtime::fiber
