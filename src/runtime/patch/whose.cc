#include "runtime/patch/whose.h"

#include "runtime/platform/loaded_file.h"
#include "runtime/platform/text.h"

namespace snarl::runtime::patch {
namespace {

// Beginnings of file names.
constexpr const char* kRuntimes[] = {
    "libc.so",   "libc-2",    "ld-linux",    "ld-2",       "libm.so",     "libm-2",      "libmvec",     "libpthread",
    "libdl.so",  "libdl-2",   "librt.so",    "librt-2",    "libresolv",   "libnss_",     "libanl",      "libgcc_s",
    "libstdc++", "libc++.so", "libc++abi",   "libunwind",  "libsnarl",    "libasan",     "libtsan",     "libubsan",
    "liblsan",   "libhwasan", "libclang_rt", "linux-vdso", "libjemalloc", "libtcmalloc", "libmimalloc", "libtbbmalloc",
};

}  // namespace

bool is_runtime(const wire::Module& module) {
  const char* name = file_name(module.path);
  for (const char* runtime : kRuntimes)
    if (begins_with(name, runtime)) return true;
  return name[0] == '\0';
}

bool replaces_malloc(const dl_phdr_info& info) { return LoadedFile(info).find(SymbolName("malloc")) != nullptr; }

}  // namespace snarl::runtime::patch
