#include "runtime/fiber/tls_images.h"

#include <link.h>

#include <initializer_list>

#include "base/large.h"
#include "runtime/raw.h"
#include "runtime/text.h"
#include "runtime/thread.h"

namespace snarl::fiber {
namespace {

struct Image {
  uint64_t below;  // distance from the thread pointer
  const void* bytes;
  size_t given, size;  // the rest is zero
};

// The same for every thread as long as no library comes or goes.
constexpr int kMaxImages = 64;
SNARL_LARGE Image images[kMaxImages];
int count;
bool all_at_fixed_place;
const link_map* last_file;  // when we looked; null: some file has gone since

constexpr uint64_t kFarthest = 1 << 20;  // blocks that are part of a stack's mapping end at the thread pointer

bool keeps_its_own(const char* path) {
  for (const char* name : {"/libc.so", "/ld-linux", "libasan", "libubsan", "liblsan", "libtsan", "libclang_rt"})
    if (contains(path, name)) return true;
  return false;
}

void renew(void* at, const void* bytes, size_t given, size_t size) {
  raw::copy(at, bytes, given);
  raw::fill(static_cast<char*>(at) + given, 0, size - given);
}

const ElfW(Phdr)* tls_of(const dl_phdr_info& module) {
  for (int i = 0; i < module.dlpi_phnum; ++i)
    if (module.dlpi_phdr[i].p_type == PT_TLS) return &module.dlpi_phdr[i];
  return nullptr;
}

// Each thread sets ours when it begins.
bool is_ours(uint64_t block, uint64_t size) {
  const auto ours = reinterpret_cast<uint64_t>(&current);
  return block <= ours && ours < block + size;
}

// The block of the calling thread, if it has one.
int visit(dl_phdr_info* module, size_t, void* data) {
  const uint64_t thread_pointer = *static_cast<uint64_t*>(data);
  const ElfW(Phdr)* tls = module->dlpi_tls_data == nullptr ? nullptr : tls_of(*module);
  if (tls == nullptr || keeps_its_own(module->dlpi_name)) return 0;
  const uint64_t at = reinterpret_cast<uint64_t>(module->dlpi_tls_data);
  if (is_ours(at, tls->p_memsz)) return 0;
  const auto* bytes = reinterpret_cast<const void*>(module->dlpi_addr + tls->p_vaddr);
  const bool fixed = at < thread_pointer && thread_pointer - at < kFarthest;
  if (!fixed || count == kMaxImages)
    all_at_fixed_place = false;
  else
    images[count++] = {thread_pointer - at, bytes, tls->p_filesz, tls->p_memsz};
  renew(module->dlpi_tls_data, bytes, tls->p_filesz, tls->p_memsz);
  return 0;
}

// New files come last. The loader's own list, without its lock: on fibers there is one OS thread.
const link_map* find_last_file() {
  const link_map* file = _r_debug.r_map;
  while (file != nullptr && file->l_next != nullptr) file = file->l_next;
  return file;
}
bool has_changed() { return last_file == nullptr || last_file->l_next != nullptr; }

}  // namespace

void note_unloading() { last_file = nullptr; }

void renew_thread_locals(uint64_t thread_pointer) {
  if (has_changed() || !all_at_fixed_place) {
    last_file = find_last_file();
    count = 0;
    all_at_fixed_place = true;
    dl_iterate_phdr(visit, &thread_pointer);
    return;
  }
  for (int i = 0; i < count; ++i)
    renew(reinterpret_cast<void*>(thread_pointer - images[i].below), images[i].bytes, images[i].given, images[i].size);
}

}  // namespace snarl::fiber
