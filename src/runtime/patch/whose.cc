#include "runtime/patch/whose.h"

#include <elf.h>

namespace snarl::patch {
namespace {

// Beginnings of file names.
constexpr const char* kRuntimes[] = {
    "libc.so",     "libc-2",     "ld-linux",   "ld-2",      "libm.so",     "libm-2",      "libmvec",      "libpthread",
    "libdl.so",    "libdl-2",    "librt.so",   "librt-2",   "libresolv",   "libnss_",     "libanl",       "libgcc_s",
    "libstdc++",   "libc++.so",  "libc++abi",  "libunwind", "libsnarl",    "libasan",     "libtsan",      "libubsan",
    "liblsan",     "libhwasan",  "libclang_rt", "linux-vdso", "libjemalloc", "libtcmalloc", "libmimalloc", "libtbbmalloc",
};

const char* file_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

// The tables of a loaded file's dynamic symbols.
struct Symbols {
  const char* names = nullptr;
  const ElfW(Sym)* symbols = nullptr;
  const uint32_t* hash = nullptr;  // DT_GNU_HASH
};

// The loader has put addresses in the place of the offsets, but for a file that is just being loaded.
template <typename T>
const T* at(const dl_phdr_info& info, uint64_t value) {
  return reinterpret_cast<const T*>(value < info.dlpi_addr ? value + info.dlpi_addr : value);
}

Symbols symbols_of(const dl_phdr_info& info) {
  Symbols result;
  for (ElfW(Half) i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_STRTAB) result.names = at<char>(info, entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB) result.symbols = at<ElfW(Sym)>(info, entry->d_un.d_ptr);
      if (entry->d_tag == DT_GNU_HASH) result.hash = at<uint32_t>(info, entry->d_un.d_ptr);
    }
  }
  return result;
}

uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// Looks a name up as the loader does.
bool defines(const Symbols& in, const char* name) {
  if (in.names == nullptr || in.symbols == nullptr || in.hash == nullptr) return false;
  const uint32_t buckets = in.hash[0], first = in.hash[1], filter = in.hash[2];
  const uint32_t* bucket = in.hash + 4 + filter * 2;
  const uint32_t* chain = bucket + buckets;
  const uint32_t wanted = gnu_hash(name);
  uint32_t i = buckets == 0 ? 0 : bucket[wanted % buckets];
  if (i < first) return false;
  for (;; ++i) {
    const uint32_t hash = chain[i - first];
    if ((hash | 1) == (wanted | 1) && same(in.names + in.symbols[i].st_name, name)) return in.symbols[i].st_shndx != SHN_UNDEF;
    if ((hash & 1) != 0) return false;
  }
}

}  // namespace

bool begins_with(const char* text, const char* with) {
  while (*with != '\0' && *text == *with) ++text, ++with;
  return *with == '\0';
}

bool is_runtime(const wire::Module& module) {
  const char* name = file_name(module.path);
  for (const char* runtime : kRuntimes)
    if (begins_with(name, runtime)) return true;
  return name[0] == '\0';
}

bool replaces_malloc(const dl_phdr_info& info) { return defines(symbols_of(info), "malloc"); }

}  // namespace snarl::patch
