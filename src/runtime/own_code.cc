#include "runtime/own_code.h"

#include <link.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/large.h"
#include "runtime/engine.h"
#include "runtime/loaded_file.h"
#include "runtime/memory_map.h"
#include "runtime/raw.h"
#include "runtime/sanitizers.h"

namespace snarl::own_code {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kWorthIt = 64;                    // copies: it takes as long as a few of them
constexpr uint64_t kMostBytes = uint64_t{32} << 20;  // whose file comes when these are used up shares it as before

uint64_t page_of(uint64_t address) { return address & ~(kPage - 1); }

// What is never written of a file: headers, code and constants follow each other. After a gap comes no code.
struct Span {
  uint64_t begin, end;
  bool is_changed;  // the program has made some of it writable, or shares it

  uint64_t size() const { return end - begin; }
};
constexpr size_t kMostSpans = 512;
SNARL_LARGE Span spans[kMostSpans];
size_t count;

Span span_of(const dl_phdr_info& file) {
  Span span{};
  for (size_t i = 0; i < file.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = file.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    const uint64_t begin = file.dlpi_addr + segment.p_vaddr;
    if (span.end == 0) span.begin = page_of(begin);
    else if (span.end != page_of(begin)) break;
    span.end = page_of(begin + segment.p_memsz + kPage - 1);
  }
  return span;
}

int list(dl_phdr_info* file, size_t, void*) {
  const Span span = span_of(*file);
  if (span.size() != 0 && !is_of_kernel(*file) && count < kMostSpans) spans[count++] = span;
  return 0;
}

void look_for_changes(const memory_map::Area& area, void*) {
  if (area.is_private && !area.writes) return;
  for (size_t i = 0; i < count; ++i)
    if (area.begin < spans[i].end && spans[i].begin < area.end) spans[i].is_changed = true;
}

// One area instead of three, so constants may be executed. It holds what it held, and this very code goes on in it.
void take_over(const Span& span, long file, uint64_t& used) {
  if (span.is_changed || used + span.size() > kMostBytes) return;
  const long written = raw::call(SYS_pwrite64, file, span.begin, span.size(), used);
  if (written <= 0 || static_cast<uint64_t>(written) != span.size()) return;
  raw::call(SYS_mmap, span.begin, span.size(), PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, used);
  used += span.size();
}

// Else a write beyond the limit would end the process.
bool may_write_files() {
  struct rlimit limit;
  return raw::call(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

}  // namespace

// Sanitizers name functions by the files that the kernel says are mapped.
void before_copy(uint64_t nth) {
  if (nth != kWorthIt || engine::shared->options.crowded == 0 || has_asan() || has_tsan() || !may_write_files()) return;
  dl_iterate_phdr(list, nullptr);
  if (!memory_map::for_each(look_for_changes, nullptr)) return;
  const long file = raw::call(SYS_memfd_create, "snarl-code", MFD_CLOEXEC);
  if (file < 0) return;
  uint64_t used = 0;
  for (size_t i = 0; i < count; ++i) take_over(spans[i], file, used);
  raw::call(SYS_close, file);
}

}  // namespace snarl::own_code
