#include "runtime/reset/shared_memory.h"

#include <sys/mman.h>

#include "base/state_marks.h"
#include "runtime/platform/memory_map.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::shared_memory {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kSmall = 1 << 20;  // copied as a whole; of others only what is in memory
constexpr uint32_t kMostParts = 64;
constexpr uint32_t kPagesAtOnce = 1024;

struct Part {
  uint64_t begin, end;
};
SNARL_PROCESS_STATE Part parts[kMostParts];
SNARL_PROCESS_STATE uint32_t count;

void note(const memory_map::Area& area, void*) {
  if (!area.is_private && area.is_zero_file && area.reads && area.writes && count < kMostParts)
    parts[count++] = {area.begin, area.end};
}

void copy(uint64_t to, uint64_t from, uint64_t size) {
  raw::copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size);
}

// To read a page that nobody has written would make one.
void copy_pages_in_memory(uint64_t to, uint64_t from, uint64_t size) {
  unsigned char present[kPagesAtOnce];
  for (uint64_t done = 0; done < size; done += kPagesAtOnce * kPage) {
    const uint64_t rest = size - done, now = rest < kPagesAtOnce * kPage ? rest : kPagesAtOnce * kPage;
    const bool known = raw::call(SYS_mincore, from + done, now, present) == 0;
    for (uint64_t at = 0; at < now; at += kPage)
      if (!known || (present[at / kPage] & 1) != 0) copy(to + done + at, from + done + at, kPage);
  }
}

void make_own(const Part& part) {
  const uint64_t size = part.end - part.begin;
  const long fresh = raw::call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fresh < 0) return;
  const auto to = static_cast<uint64_t>(fresh);
  size <= kSmall ? copy(to, part.begin, size) : copy_pages_in_memory(to, part.begin, size);
  raw::call(SYS_mremap, fresh, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, part.begin);
}

}  // namespace

void list() { memory_map::for_each(note, nullptr); }

void make_own() {
  for (uint32_t i = 0; i < count; ++i) make_own(parts[i]);
}

}  // namespace snarl::runtime::shared_memory
