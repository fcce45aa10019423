#include "runtime/written_pages.h"

#include <fcntl.h>

#include "runtime/engine.h"
#include "runtime/memory_map.h"
#include "runtime/raw.h"
#include "wire/written_pages.h"

extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* library) noexcept;

namespace snarl::written_pages {
namespace {

using wire::PageRange;

constexpr uint64_t kPage = 4096;

// The first three runs are for the profile, without which no fibers are ready: those learn that come later, ever fewer.
constexpr uint64_t kFirstLearner = 4, kLastLearner = 1024;
bool is_to_learn(uint64_t nth) { return nth >= kFirstLearner && nth <= kLastLearner && (nth & (nth - 1)) == 0; }

// What can be looked through in about a millisecond (8 bytes per page), and what even a run that fails early may ask
// for.
constexpr uint64_t kMostLookedAt = uint64_t{1} << 17;
constexpr uint64_t kMostAskedFor = uint64_t{1} << 12;

constexpr uint32_t kMaxAreas = 256;
PageRange areas[kMaxAreas];  // private and writable when the copy that learns was made
uint32_t area_count;
PageRange written[wire::kMaxPageRanges];  // what was learned last
uint32_t written_count;
long learner;  // the process that is to learn; 0: none

wire::WrittenPages& table() { return reinterpret_cast<wire::Whole*>(engine::shared)->written_pages; }

void note_area(const memory_map::Area& area, void*) {
  if (area.is_private && area.reads && area.writes && area_count < kMaxAreas) areas[area_count++] = {area.begin, area.end};
}
void list_areas() {
  area_count = 0;
  memory_map::for_each(note_area, nullptr);
}

// A page that the copy has written since it was made is mapped by it alone (Documentation/admin-guide/mm/pagemap.rst).
bool is_written(uint64_t entry) {
  constexpr uint64_t kPresent = uint64_t{1} << 63, kOfFile = uint64_t{1} << 61, kAlone = uint64_t{1} << 56;
  return (entry & (kPresent | kOfFile | kAlone)) == (kPresent | kAlone);
}

class Learner {
 public:
  void look_at(const PageRange& area) {
    constexpr uint64_t kAtOnce = 512;
    const uint64_t pages = (area.end - area.begin) / kPage;
    if (looked_at_ + pages > kMostLookedAt) return;
    looked_at_ += pages;
    uint64_t entries[kAtOnce];
    for (uint64_t at = area.begin; at < area.end;) {
      const uint64_t left = (area.end - at) / kPage;
      const long got = raw::call(SYS_pread64, file_, entries, 8 * (left < kAtOnce ? left : kAtOnce), at / kPage * 8);
      if (got < 8) return;
      for (long i = 0; i < got / 8; ++i, at += kPage)
        if (is_written(entries[i])) add(at);
    }
  }

  Learner() : file_(raw::call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0)) {}
  ~Learner() {
    raw::call(SYS_close, file_);
    table().count.store(count_, std::memory_order_release);
  }

 private:
  void add(uint64_t page) {
    PageRange* last = count_ == 0 ? nullptr : &table().ranges[count_ - 1];
    if (pages_ == kMostAskedFor) return;
    ++pages_;
    if (last != nullptr && last->end == page)
      last->end += kPage;
    else if (count_ < wire::kMaxPageRanges)
      table().ranges[count_++] = {page, page + kPage};
  }

  long file_;
  uint32_t count_ = 0;
  uint64_t looked_at_ = 0, pages_ = 0;
};

// The last that runs in a process that ends by exit; copies that the program made of it have another number.
void at_end(void*) {
  if (learner == 0 || learner != raw::call(SYS_getpid)) return;
  Learner run;
  for (uint32_t i = 0; i < area_count; ++i) run.look_at(areas[i]);
}

// The program may have written into the wire, too.
bool is_sound(uint32_t count) {
  uint64_t pages = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (written[i].end <= written[i].begin || written[i].end - written[i].begin > kMostAskedFor * kPage) return false;
    pages += (written[i].end - written[i].begin) / kPage;
  }
  return pages <= kMostAskedFor;
}

void take_what_was_learned() {
  const uint32_t count = table().count.load(std::memory_order_acquire);
  if (count == 0 || count > wire::kMaxPageRanges) return;
  raw::copy(written, table().ranges, count * sizeof *written);
  written_count = is_sound(count) ? count : 0;
  table().count.store(0, std::memory_order_relaxed);
}

}  // namespace

void watch_end() { __cxa_atexit(at_end, nullptr, nullptr); }

void before_copy(uint64_t nth) {
  take_what_was_learned();
  learner = is_to_learn(nth) ? 1 : 0;
  if (learner != 0) list_areas();
}

// Who learns must not ask, or what was wrong would be learned again.
void in_copy() {
  if (learner != 0) {
    learner = raw::call(SYS_getpid);
    return;
  }
  for (uint32_t i = 0; i < written_count; ++i)
    raw::make_writable_pages_ready(reinterpret_cast<const void*>(written[i].begin), written[i].end - written[i].begin);
}

}  // namespace snarl::written_pages
