#include "runtime/patch/table.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/hash.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace snarl::runtime::patch {
namespace {

// A text of limited length; too long a one is empty.
template <unsigned kSize>
class Text {
 public:
  Text& add(const char* text) {
    while (*text != '\0') add(*text++);
    return *this;
  }
  Text& add(char c) {
    if (length_ + 1 < kSize)
      bytes_[length_++] = c;
    else
      full_ = true;
    return *this;
  }
  Text& add_number(int value) {
    char digits[12] = {};
    char* end = digits;
    raw::put_number(end, value);
    return add(digits);
  }
  Text& add_hex(uint8_t byte) { return add("0123456789abcdef"[byte >> 4]).add("0123456789abcdef"[byte & 15]); }
  const char* c_str() {
    bytes_[full_ ? 0 : length_] = '\0';
    return bytes_;
  }

 private:
  char bytes_[kSize];
  unsigned length_ = 0;
  bool full_ = false;
};

using Path = Text<1024>;

uint64_t hash_of(const char* text) {
  uint64_t hash = 0;
  for (; *text != '\0'; ++text) hash = combine(hash, static_cast<unsigned char>(*text));
  return hash;
}

void add_hash(const char* text, Path& path) {
  path.add('.');
  for (uint64_t hash = hash_of(text), i = 0; i < sizeof hash; ++i, hash >>= 8) path.add_hex(static_cast<uint8_t>(hash));
}

// <cache>/<build id>.<version>[.<hash of the named functions>][.spins.<hash of the loads>].patches; empty without a
// cache or a build id.
void cache_path(const wire::Module& module, const SpinLoads& loads, Path& path) {
  const char* folder = engine::shared->options.cache;
  if (folder[0] == '\0' || module.build_id_size == 0) return;
  path.add(folder).add('/');
  for (uint32_t i = 0; i < module.build_id_size; ++i) path.add_hex(module.build_id[i]);
  path.add('.').add_number(static_cast<int>(wire::kPatchVersion));
  const char* functions = engine::shared->options.functions;
  if (functions[0] != '\0') add_hash(functions, path);
  if (loads.any()) add_hash(loads.text(), path.add(".spins"));
  path.add(".patches");
}

// Nobody else may say what is written into the program.
bool is_ours(const struct stat& about) {
  return S_ISREG(about.st_mode) && (about.st_mode & 022) == 0 &&
         about.st_uid == static_cast<uid_t>(raw::call(SYS_geteuid));
}

int open_cached(const char* path) {
  if (path[0] == '\0') return -1;
  const auto fd = static_cast<int>(raw::call(SYS_open, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0));
  struct stat about;
  if (fd < 0 || (raw::call(SYS_fstat, fd, &about) == 0 && is_ours(about))) return fd;
  raw::call(SYS_close, fd);
  return -1;
}

[[noreturn]] void become_scanner(const char* file, int result, const char* cached, const char* loads) {
  raw::call(SYS_prctl, PR_SET_PDEATHSIG, 9);
  if (scan_here != nullptr) raw::exit_group(scan_here(file, result, cached, loads));
  Text<16> number;
  const char* const arguments[] = {
      "snarl", "--scan", file, number.add_number(result).c_str(), cached, engine::shared->options.functions,
      loads,   nullptr};
  const char* const environment[] = {nullptr};
  raw::call(SYS_execve, engine::shared->options.scanner, arguments, environment);
  raw::exit_group(127);
}

// A child that the program's own wait() does not see: it has no exit signal.
bool scan(const char* file, int result, const char* cached, const char* loads) {
  const long pid = raw::call(SYS_clone, 0, 0, 0, 0, 0);
  if (pid == 0) become_scanner(file, result, cached, loads);
  int status = -1;
  while (pid > 0 && raw::call(SYS_wait4, pid, &status, __WALL, 0) == -4 /* EINTR */) {
  }
  return pid > 0 && status == 0;
}

bool same_build(const wire::PatchTable& table, const wire::Module& module) {
  if (table.build_id_size != module.build_id_size) return false;
  for (uint32_t i = 0; i < module.build_id_size && i < sizeof table.build_id; ++i)
    if (table.build_id[i] != module.build_id[i]) return false;
  return true;
}

}  // namespace

int (*scan_here)(const char*, int, const char*, const char*) = nullptr;

Table::Table(const wire::Module& module, const SpinLoads& loads) {
  Path cached;
  cache_path(module, loads, cached);
  const int kept = open_cached(cached.c_str());
  const bool known = kept >= 0 && map(kept, module);
  if (kept >= 0) raw::call(SYS_close, kept);
  if (known || (engine::shared->options.scanner[0] == '\0' && scan_here == nullptr)) return;
  const auto made = static_cast<int>(raw::call(SYS_memfd_create, "snarl-patches", 0));
  if (made < 0) return;
  engine::shared->state.scanning.store(1, std::memory_order_release);
  if (scan(module.path, made, cached.c_str(), loads.text())) map(made, module);
  engine::shared->state.scanning.store(0, std::memory_order_release);
  raw::call(SYS_close, made);
}

bool Table::map(int fd, const wire::Module& module) {
  struct stat about;
  if (raw::call(SYS_fstat, fd, &about) != 0 || about.st_size < static_cast<long>(sizeof(wire::PatchTable)))
    return false;
  const auto bytes = static_cast<uint64_t>(about.st_size);
  const long at = raw::call(SYS_mmap, 0, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (at < 0) return false;
  const auto* header = reinterpret_cast<const wire::PatchTable*>(at);
  if (is_sound(*header, reinterpret_cast<const wire::Patch*>(header + 1), bytes) && same_build(*header, module)) {
    header_ = header;
    bytes_ = bytes;
    return true;
  }
  raw::call(SYS_munmap, at, bytes);
  return false;
}

Table::~Table() {
  if (header_ != nullptr) raw::call(SYS_munmap, header_, bytes_);
}

}  // namespace snarl::runtime::patch
