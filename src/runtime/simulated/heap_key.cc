#include "runtime/simulated/heap_key.h"

#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "runtime/fiber/heap_cache.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/platform/text.h"
#include "runtime/state/freed_key.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace {

// As a pointer it points nowhere, as a number it is neither zero nor even nor small: what a random one mostly is.
constexpr uint64_t kKey = 0x9e3779b97f4a7c15;
constexpr uint64_t kStackGuard = 0x3c6ef372fe94f800;  // libc's have a zero byte first, which ends strings
constexpr size_t kSize = 600;                         // no other list of libc's takes it as it is

struct Libc {
  bool has_free = false;      // `free` is its own
  uint64_t* found = nullptr;  // the word that holds the value
  int count = 0;
  uint64_t value = 0;
};

bool is_in(const dl_phdr_info& module, const ElfW(Phdr) & segment, uint64_t address) {
  return segment.p_type == PT_LOAD && address - (module.dlpi_addr + segment.p_vaddr) < segment.p_memsz;
}

int look_into(dl_phdr_info* module, size_t, void* data) {
  if (!contains(module->dlpi_name, "/libc.so")) return 0;
  Libc& libc = *static_cast<Libc*>(data);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    libc.has_free |= is_in(*module, segment, reinterpret_cast<uint64_t>(real().free));
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    auto* word = reinterpret_cast<uint64_t*>((module->dlpi_addr + segment.p_vaddr + 7) & ~uint64_t{7});
    for (size_t n = segment.p_memsz / 8 - 1; n != 0; --n, ++word)
      if (*word == libc.value) libc.found = word, ++libc.count;
  }
  return 1;
}

// A freed block, which the cache has at the head of a list.
uint64_t* freed_block() {
  auto* block = static_cast<uint64_t*>(malloc(kSize));
  asm volatile("" : "+r"(block));  // the compiler must not do without
  free(block);
  asm volatile("" : "+r"(block) : : "memory");
  return block;
}

// glibc's, as it is since 2.30.
struct Cache {
  uint16_t counts[64];
  uint64_t* lists[64];
};

uint64_t* next(uint64_t* block) {
  return reinterpret_cast<uint64_t*>(block[0] ^ reinterpret_cast<uint64_t>(block) >> 12);
}

void set_in_cache(uint64_t old, const uint64_t* known_block) {
  const uint64_t* pointer = fiber::pointer_to_heap_cache();
  if (pointer == nullptr || *pointer == 0) return;
  const Cache& cache = *reinterpret_cast<const Cache*>(*pointer);
  constexpr size_t kListOfKnown = (kSize + 8 - 32 + 15) / 16;
  if (cache.lists[kListOfKnown] != known_block) return;  // it looks otherwise
  for (size_t i = 0; i < 64; ++i) {
    uint64_t* block = cache.lists[i];
    for (uint16_t n = 0; n < cache.counts[i] && block != nullptr; ++n, block = next(block))
      if (block[1] == old) block[1] = kKey;
  }
}

}  // namespace

void repeat_heap_key() {
  if (engine::shared->command.settings.random == Randomness::kReal) return;
  Libc libc{.value = freed_block()[1]};
  dl_iterate_phdr(look_into, &libc);
  if (!libc.has_free || libc.count != 1 || libc.value == 0 || libc.value == kKey) return;
  *libc.found = kKey;
  const uint64_t* block = freed_block();
  if (block[1] != kKey) {
    *libc.found = libc.value;
    return;
  }
  set_in_cache(libc.value, block);
  freed_key = kKey;
}

void repeat_guards() {
  if (engine::shared->command.settings.random == Randomness::kReal) return;
  auto* bytes = reinterpret_cast<uint64_t*>(getauxval(AT_RANDOM));
  if (bytes == nullptr) return;
  bytes[0] = kStackGuard;
  bytes[1] = kKey;
  asm volatile("movq %0, %%fs:0x28" : : "r"(kStackGuard) : "memory");
}

}  // namespace snarl::runtime
