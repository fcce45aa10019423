#include "runtime/own_code.h"

#include <link.h>
#include <sys/mman.h>

#include "runtime/engine.h"
#include "runtime/loaded_file.h"
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
  uint64_t begin = 0, end = 0;

  uint64_t size() const { return end - begin; }
};

Span span_of(const dl_phdr_info& file) {
  Span span;
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

struct Memory {
  long file = -1;
  uint64_t used = 0;
};

// One area instead of three, so constants may be executed. It holds what it held, and this very code goes on in it.
int take_over(dl_phdr_info* file, size_t, void* data) {
  auto& memory = *static_cast<Memory*>(data);
  const Span span = span_of(*file);
  if (is_of_kernel(*file) || memory.used + span.size() > kMostBytes) return 0;
  const long written = raw::call(SYS_pwrite64, memory.file, span.begin, span.size(), memory.used);
  if (written <= 0 || static_cast<uint64_t>(written) != span.size()) return 0;
  raw::call(SYS_mmap, span.begin, span.size(), PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, memory.file, memory.used);
  memory.used += span.size();
  return 0;
}

}  // namespace

// Sanitizers name functions by the files that the kernel says are mapped.
void before_copy(uint64_t nth) {
  if (nth != kWorthIt || engine::shared->options.crowded == 0 || has_asan() || has_tsan()) return;
  Memory memory{raw::call(SYS_memfd_create, "snarl-code", MFD_CLOEXEC)};
  if (memory.file < 0) return;
  dl_iterate_phdr(take_over, &memory);
  raw::call(SYS_close, memory.file);
}

}  // namespace snarl::own_code
