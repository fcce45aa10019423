// What a run says of its pages when it ends, by the kernel's page map (Documentation/admin-guide/mm/pagemap.rst), and
// what the fork server then takes of it.
#pragma once

#include <fcntl.h>

#include <cstdint>

#include "runtime/platform/raw.h"
#include "wire/learned_pages.h"

namespace snarl::runtime {

constexpr uint64_t kPage = 4096;

// An entry of the page map.
class PageEntry {
 public:
  explicit PageEntry(uint64_t bits) : bits_(bits) {}
  bool is_present() const { return bit(63); }
  bool is_of_file() const { return bit(61); }
  bool is_mapped_by_one() const { return bit(56); }

 private:
  bool bit(int n) const { return (bits_ >> n & 1) != 0; }
  uint64_t bits_;
};

class PageMap {
 public:
  PageMap() : file_(raw::call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0)) {}
  ~PageMap() { raw::call(SYS_close, file_); }
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  // Calls f(area) for the parts whose pages are in memory and no file's, or for the whole if the kernel (before Linux
  // 6.7) can't look for them: of a stack most is not there.
  template <typename F>
  void for_each_own_part(const wire::PageRange& area, F&& f) const {
    constexpr uint64_t kOfFile = 1 << 2, kPresent = 1 << 3;  // PAGE_IS_FILE, PAGE_IS_PRESENT
    Part parts[64];
    Scan scan{.start = area.begin, .end = area.end, .parts = reinterpret_cast<uint64_t>(parts)};
    scan.inverted = kOfFile;
    scan.all_of = kOfFile | kPresent;
    while (scan.start < scan.end) {
      const long got = raw::call(SYS_ioctl, file_, kScan, &scan);
      if (got < 0) return f({scan.start, scan.end});
      for (long i = 0; i < got; ++i) f({parts[i].begin, parts[i].end});
      if (scan.walked_to <= scan.start) return;
      scan.start = scan.walked_to;
    }
  }

  // Calls f(address, entry) for each page, as far as the kernel tells.
  template <typename F>
  void for_each(const wire::PageRange& area, F&& f) const {
    constexpr uint64_t kAtOnce = 512;
    uint64_t entries[kAtOnce];
    for (uint64_t at = area.begin; at < area.end;) {
      const uint64_t left = (area.end - at) / kPage;
      const long got = raw::call(SYS_pread64, file_, entries, 8 * (left < kAtOnce ? left : kAtOnce), at / kPage * 8);
      if (got < 8) return;
      for (long i = 0; i < got / 8; ++i, at += kPage) f(at, PageEntry(entries[i]));
    }
  }

 private:
  // The kernel's page_region and pm_scan_arg, which older headers don't have.
  struct Part {
    uint64_t begin, end, categories;
  };
  struct Scan {
    uint64_t size = sizeof(Scan), flags = 0, start, end, walked_to = 0, parts, count = 64, most_pages = 0;
    uint64_t inverted = 0, all_of = 0, any_of = 0, told = 0;
  };
  static_assert(sizeof(Scan) == 96);
  static constexpr uint64_t kScan = 0xc0606610;  // PAGEMAP_SCAN

  long file_;
};

// Written by a run that learns, as long as this lives.
class PageNotes {
 public:
  // What even a run that fails early may ask for, and what can be looked through in about a millisecond.
  static constexpr uint64_t kMostPages = uint64_t{1} << 13, kMostLookedAt = uint64_t{1} << 17;

  explicit PageNotes(wire::LearnedPages& to) : to_(to) {}
  ~PageNotes() { to_.count.store(count_, std::memory_order_release); }
  PageNotes(const PageNotes&) = delete;
  PageNotes& operator=(const PageNotes&) = delete;

  // Notes those of the program's own for which is_meant(entry).
  template <typename F>
  void look_at_own(const wire::PageRange& area, F&& is_meant) {
    map_.for_each_own_part(area, [&](const wire::PageRange& part) { look_at(part, is_meant); });
  }

  // Notes those for which is_meant(entry).
  template <typename F>
  void look_at(const wire::PageRange& area, F&& is_meant) {
    looked_at_ += (area.end - area.begin) / kPage;
    if (looked_at_ > kMostLookedAt) return;
    map_.for_each(area, [&](uint64_t page, PageEntry entry) {
      if (is_meant(entry)) add(page);
    });
  }

 private:
  void add(uint64_t page) {
    if (pages_ == kMostPages) return;
    ++pages_;
    wire::PageRange* last = count_ == 0 ? nullptr : &to_.ranges[count_ - 1];
    if (last != nullptr && last->end == page)
      last->end += kPage;
    else if (count_ < wire::kMaxPageRanges)
      to_.ranges[count_++] = {page, page + kPage};
  }

  wire::LearnedPages& to_;
  PageMap map_;
  uint32_t count_ = 0;
  uint64_t looked_at_ = 0, pages_ = 0;
};

// In the server: the notes, if there are new ones, and none if they make no sense, as the program may have written
// there, too.
struct TakenPages {
  wire::PageRange ranges[wire::kMaxPageRanges];
  uint32_t count = 0;

  // False: nothing new.
  bool take(wire::LearnedPages& from) {
    const uint32_t noted = from.count.load(std::memory_order_acquire);
    if (noted == 0 || noted > wire::kMaxPageRanges) return false;
    raw::copy(ranges, from.ranges, noted * sizeof *ranges);
    count = noted;
    if (!is_sound()) count = 0;
    from.count.store(0, std::memory_order_relaxed);
    return true;
  }

 private:
  bool is_sound() const {
    uint64_t pages = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t size = ranges[i].end - ranges[i].begin;
      if (ranges[i].end <= ranges[i].begin || size > PageNotes::kMostPages * kPage) return false;
      pages += size / kPage;
    }
    return pages <= PageNotes::kMostPages;
  }
};

}  // namespace snarl::runtime
