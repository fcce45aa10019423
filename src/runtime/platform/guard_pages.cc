#include "runtime/platform/guard_pages.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "base/state_marks.h"
#include "runtime/platform/memory_map.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::guard_pages {
namespace {

constexpr int kInstall = 102;  // MADV_GUARD_INSTALL
constexpr uint64_t kPage = 4096;

bool install(uint64_t begin, size_t size) {
  if (raw::call(SYS_mprotect, begin, size, PROT_READ | PROT_WRITE) != 0) return false;
  if (raw::call(SYS_madvise, begin, size, kInstall) == 0) return true;
  raw::call(SYS_mprotect, begin, size, PROT_NONE);
  return false;
}

bool is_told_of(uint64_t page) {
  uint64_t entry = 0;
  const long file = raw::call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) return false;
  raw::call(SYS_pread64, file, &entry, sizeof entry, page / kPage * sizeof entry);
  raw::call(SYS_close, file);
  return is_marked(entry);
}

// Kernels before Linux 6.15 may mark pages and not tell: who reads all memory would run into them.
bool find_out() {
  const long page = raw::call(SYS_mmap, 0, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page < 0) return false;
  const auto at = static_cast<uint64_t>(page);
  const bool can = install(at, kPage) && is_told_of(at);
  raw::call(SYS_munmap, at, kPage);
  return can;
}

enum class Can : uint8_t { kUnknown, kYes, kNo };
SNARL_PROCESS_STATE Can can_mark;

bool can() {
  if (can_mark == Can::kUnknown) can_mark = find_out() ? Can::kYes : Can::kNo;
  return can_mark == Can::kYes;
}

struct Search {
  uint64_t address;
  memory_map::Area below;       // the last before the one at hand
  uint64_t begin = 0, end = 0;  // found
};

void look_at(const memory_map::Area& area, void* data) {
  Search& search = *static_cast<Search*>(data);
  const memory_map::Area& below = search.below;
  const bool is_of_address = area.begin <= search.address && search.address < area.end;
  const bool is_guard = below.end == area.begin && below.is_private && !below.reads && !below.writes && !below.executes;
  if (is_of_address && is_guard && area.is_private && area.writes) {
    search.begin = below.begin;
    search.end = below.end;
  }
  search.below = area;
}

}  // namespace

uint64_t mark_below(uint64_t address, size_t size) {
  if (size == 0 || !can()) return 0;
  Search search{.address = address, .below = {}};
  memory_map::for_each(look_at, &search);
  return search.end - search.begin == size && install(search.begin, size) ? search.begin : 0;
}

void mark(const iovec* parts, unsigned long count) {
  raw::advise(parts, count, kInstall, [](unsigned long begin, unsigned long end) {
    if (raw::call(SYS_madvise, begin, end - begin, kInstall) != 0)
      raw::call(SYS_mprotect, begin, end - begin, PROT_NONE);
  });
}

}  // namespace snarl::runtime::guard_pages
