#include "runtime/platform/fresh_areas.h"

#include <sys/mman.h>
#include <sys/uio.h>

#include "base/ids.h"
#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/platform/guard_pages.h"
#include "runtime/platform/page_notes.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::fresh_areas {
namespace {

constexpr int kWipeOnFork = 18, kKeepOnFork = 19;  // MADV_WIPEONFORK and its opposite
constexpr uint32_t kMostAreas = 64, kMostGuards = 2 * kMaxThreads;
constexpr uint64_t kMostPages = 1 << 14;  // of more, fork's copy is the cheaper one

struct Line {
  uint64_t address;
  uint64_t words[8];
};
constexpr uint64_t kLinesOfPage = kPage / sizeof Line::words;

SNARL_PROCESS_STATE wire::PageRange areas[kMostAreas];
SNARL_PROCESS_STATE uint32_t area_count;
SNARL_LARGE iovec guards[kMostGuards];
SNARL_PROCESS_STATE uint32_t guard_count;
SNARL_PROCESS_STATE bool are_empty_in_copies;
SNARL_PROCESS_STATE Line* lines;
SNARL_PROCESS_STATE uint64_t line_count, mapped;  // bytes

bool advise(const wire::PageRange& area, int advice) {
  return raw::call(SYS_madvise, area.begin, area.end - area.begin, advice) == 0;
}

void advise_all(int advice) {
  for (uint32_t i = 0; i < area_count; ++i) advise(areas[i], advice);
}

// Pages of the areas that hold something.
template <typename F>
void for_each_page(F&& f) {
  const PageMap map;
  for (uint32_t i = 0; i < area_count; ++i)
    map.for_each_own_part(areas[i], [&](const wire::PageRange& part) {
      for (uint64_t page = part.begin; page < part.end; page += kPage) f(page);
    });
}

void keep_line(uint64_t address) {
  Line& line = lines[line_count];
  raw::copy(line.words, reinterpret_cast<const void*>(address), sizeof line.words);
  uint64_t any = 0;
  for (const uint64_t word : line.words) any |= word;
  if (any == 0) return;  // the next one takes its place
  line.address = address;
  ++line_count;
}

// Below all other memory: where the program's own mappings and the next stacks come is not to depend on it.
bool map_lines(uint64_t pages) {
  constexpr uint64_t kPlace = (uint64_t{1} << 45) + (uint64_t{1} << 31);
  mapped = (pages * kLinesOfPage + 1) * sizeof(Line);
  const long at = raw::call(SYS_mmap, kPlace, mapped, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  lines = static_cast<uint64_t>(at) != kPlace ? nullptr : reinterpret_cast<Line*>(kPlace);
  return lines != nullptr;
}

void make_empty_in_copies() {
  for (uint32_t i = 0; i < area_count;) {
    if (advise(areas[i], kWipeOnFork)) {
      ++i;
      continue;
    }
    advise_all(kKeepOnFork);
    return;
  }
  are_empty_in_copies = true;
}

}  // namespace

void forget() {
  if (are_empty_in_copies) advise_all(kKeepOnFork);
  if (lines != nullptr) raw::call(SYS_munmap, lines, mapped);
  lines = nullptr;
  are_empty_in_copies = false;
  area_count = guard_count = 0;
  line_count = 0;
}

void add(const Stack& stack) {
  if (guard_count == kMostGuards) return;
  wire::PageRange* last = area_count == 0 ? nullptr : &areas[area_count - 1];
  if (last != nullptr && stack.end == last->begin)
    last->begin = stack.begin;
  else if (last != nullptr && stack.begin == last->end)
    last->end = stack.end;
  else if (area_count < kMostAreas)
    areas[area_count++] = {stack.begin, stack.end};
  else
    return;
  guards[guard_count++] = {reinterpret_cast<void*>(stack.begin), stack.guard_size};
}

void keep() {
  uint64_t pages = 0;
  for_each_page([&](uint64_t) { ++pages; });
  if (pages == 0 || pages > kMostPages || !map_lines(pages)) return;
  for_each_page([](uint64_t page) {
    for (uint64_t at = page; at < page + kPage; at += sizeof Line::words) keep_line(at);
  });
  make_empty_in_copies();
}

// The flag is of whole areas of the kernel's, so it can be taken back without memory for another one.
void renew() {
  if (!are_empty_in_copies) return;
  advise_all(kKeepOnFork);
  guard_pages::mark(guards, guard_count);
  for (const Line* line = lines; line != lines + line_count; ++line)
    raw::copy(reinterpret_cast<void*>(line->address), line->words, sizeof line->words);
}

}  // namespace snarl::runtime::fresh_areas
