#include "runtime/reset/used_code.h"

#include <link.h>
#include <sys/mman.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/platform/loaded_file.h"
#include "runtime/platform/memory_map.h"
#include "runtime/platform/page_notes.h"
#include "runtime/state/state.h"

namespace snarl::runtime::used_code {
namespace {

uint64_t page_of(uint64_t address) { return address & ~(kPage - 1); }

// What is never written of a file: headers, code and constants follow each other. After a gap comes no code.
struct Span : wire::PageRange {
  bool is_changed = false;  // the program has made some of it writable or unreadable, or shares it

  uint64_t size() const { return end - begin; }
  bool has(const PageRange& range) const { return begin <= range.begin && range.end <= end; }
};
constexpr size_t kMostSpans = 512;
SNARL_LARGE Span spans[kMostSpans];
SNARL_PROCESS_STATE size_t count;
SNARL_LARGE TakenPages used;

wire::LearnedPages& notes() { return reinterpret_cast<wire::Whole*>(engine::shared)->code; }

Span span_of(const dl_phdr_info& file) {
  Span span;
  for (size_t i = 0; i < file.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = file.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) continue;
    const uint64_t begin = file.dlpi_addr + segment.p_vaddr;
    if (span.end == 0)
      span.begin = page_of(begin);
    else if (span.end != page_of(begin))
      break;
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
  if (area.is_private && area.reads && !area.writes) return;
  for (size_t i = 0; i < count; ++i)
    if (area.begin < spans[i].end && spans[i].begin < area.end) spans[i].is_changed = true;
}

bool protect(const Span& span, int how) { return raw::call(SYS_mprotect, span.begin, span.size(), how) == 0; }

bool is_any_used(const Span& span) {
  for (uint32_t i = 0; i < used.count; ++i)
    if (span.has(used.ranges[i])) return true;
  return false;
}

void make_own(const Span& span) {
  for (uint32_t i = 0; i < used.count; ++i)
    if (span.has(used.ranges[i])) raw::make_ready_to_write(used.ranges[i].begin, used.ranges[i].end);
}

// What the server itself has met of the rest would come with every copy, too.
void forget_rest(const PageMap& map, const Span& span) {
  wire::PageRange rest;
  const auto forget = [&rest] {
    if (rest.begin != rest.end) raw::call(SYS_madvise, rest.begin, rest.end - rest.begin, MADV_DONTNEED);
  };
  map.for_each(span, [&](uint64_t page, PageEntry entry) {
    if (!entry.is_present() || !entry.is_of_file()) return;
    if (page != rest.end) {
      forget();
      rest.begin = page;
    }
    rest.end = page + kPage;
  });
  forget();
}

// One area instead of three, so constants may be executed, too. This very code is among it.
void keep(const PageMap& map, const Span& span) {
  if (span.is_changed || !is_any_used(span)) return;
  if (protect(span, PROT_READ | PROT_WRITE | PROT_EXEC)) {
    make_own(span);
    forget_rest(map, span);
  }
  protect(span, PROT_READ | PROT_EXEC);  // also if only a part could be changed
}

}  // namespace

void list_files() {
  count = 0;
  dl_iterate_phdr(list, nullptr);
  if (!memory_map::for_each(look_for_changes, nullptr)) count = 0;
}

void note() {
  PageNotes pages(notes());
  for (size_t i = 0; i < count; ++i)
    if (!spans[i].is_changed) pages.look_at(spans[i], [](PageEntry page) { return page.is_present(); });
}

void take_notes() {
  if (!used.take(notes())) return;
  const PageMap map;
  for (size_t i = 0; i < count; ++i) keep(map, spans[i]);
}

}  // namespace snarl::runtime::used_code
