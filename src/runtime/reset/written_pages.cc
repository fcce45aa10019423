#include "runtime/reset/written_pages.h"

#include "base/state_marks.h"
#include "runtime/platform/memory_map.h"
#include "runtime/platform/page_notes.h"
#include "runtime/state/state.h"

namespace snarl::runtime::written_pages {
namespace {

constexpr uint32_t kMaxAreas = 256;
SNARL_PROCESS_STATE wire::PageRange areas[kMaxAreas];  // private and writable when the copy that learns was made
SNARL_PROCESS_STATE uint32_t area_count;
SNARL_PROCESS_STATE TakenPages written;                  // what was learned last
SNARL_PROCESS_STATE iovec wanted[wire::kMaxPageRanges];  // the same, as the kernel wants it

wire::LearnedPages& notes() { return reinterpret_cast<wire::Whole*>(engine::shared)->written; }

void list(const memory_map::Area& area, void*) {
  if (area.is_private && area.reads && area.writes && area_count < kMaxAreas)
    areas[area_count++] = {area.begin, area.end};
}

}  // namespace

void list_areas() {
  area_count = 0;
  memory_map::for_each(list, nullptr);
}

// A page that the copy has written since it was made is mapped by it alone.
void note() {
  PageNotes pages(notes());
  for (uint32_t i = 0; i < area_count; ++i)
    pages.look_at_own(
        areas[i], [](PageEntry page) { return page.is_present() && !page.is_of_file() && page.is_mapped_by_one(); });
}

void take_notes() {
  if (!written.take(notes())) return;
  for (uint32_t i = 0; i < written.count; ++i) {
    const wire::PageRange& range = written.ranges[i];
    wanted[i] = {reinterpret_cast<void*>(range.begin), range.end - range.begin};
  }
}

void ask() { raw::make_ready_to_write(wanted, written.count); }

}  // namespace snarl::runtime::written_pages
