#include "runtime/fiber/tls_images.h"

#include <link.h>

#include <initializer_list>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/text.h"
#include "runtime/state/thread.h"

namespace snarl::runtime::fiber {
namespace {

struct Image {
  uint64_t below;  // distance from the thread pointer
  const void* bytes;
  size_t given, size;  // the rest is zero
};

// Of small images, which most are.
struct Piece {
  uint32_t below;
  uint32_t size;  // 16, 8, 4 or 1 bytes
  uint64_t value[2];
};

// The same for every thread as long as no library comes or goes.
constexpr int kMaxImages = 64, kMaxPieces = 128;
SNARL_LARGE Image images[kMaxImages];
SNARL_LARGE Piece pieces[kMaxPieces];
SNARL_PROCESS_STATE int count, piece_count;
SNARL_PROCESS_STATE bool all_at_fixed_place;
SNARL_PROCESS_STATE const link_map* last_file;  // when we looked; null: some file has gone since

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

void renew(char* at, const Piece& piece) {
  if (__builtin_expect(piece.size == 16, 1)) return raw::copy(at, piece.value, 16);
  if (piece.size == 8) return raw::copy(at, piece.value, 8);
  piece.size == 4 ? raw::copy(at, piece.value, 4) : raw::copy(at, piece.value, 1);
}

void keep_in_pieces(const Image& image) {
  for (size_t at = 0; at < image.size;) {
    const size_t left = image.size - at;
    const uint32_t size = left >= 16 ? 16 : left >= 8 ? 8 : left >= 4 ? 4 : 1;
    Piece& piece = pieces[piece_count++] = {static_cast<uint32_t>(image.below - at), size, {}};
    const size_t given = at >= image.given ? 0 : image.given - at;
    raw::copy(piece.value, static_cast<const char*>(image.bytes) + at, given < piece.size ? given : piece.size);
    at += piece.size;
  }
}

void keep(const Image& image) {
  const bool small = image.size <= 64 && piece_count + static_cast<int>(image.size) <= kMaxPieces;
  if (small) return keep_in_pieces(image);
  if (count == kMaxImages)
    all_at_fixed_place = false;
  else
    images[count++] = image;
}

const ElfW(Phdr) * tls_of(const dl_phdr_info& module) {
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
  if (fixed)
    keep({thread_pointer - at, bytes, tls->p_filesz, tls->p_memsz});
  else
    all_at_fixed_place = false;
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

[[gnu::cold]] void look_and_renew(uint64_t thread_pointer) {
  last_file = find_last_file();
  count = piece_count = 0;
  all_at_fixed_place = true;
  dl_iterate_phdr(visit, &thread_pointer);
}

}  // namespace

void note_unloading() { last_file = nullptr; }

void renew_thread_locals(uint64_t thread_pointer) {
  if (__builtin_expect(has_changed() || !all_at_fixed_place, 0)) return look_and_renew(thread_pointer);
  for (int i = 0; i < piece_count; ++i) renew(reinterpret_cast<char*>(thread_pointer) - pieces[i].below, pieces[i]);
  for (int i = 0; i < count; ++i)
    renew(reinterpret_cast<void*>(thread_pointer - images[i].below), images[i].bytes, images[i].given, images[i].size);
}

}  // namespace snarl::runtime::fiber
