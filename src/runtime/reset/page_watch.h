// Which pages of the process are there, and which were written, as the kernel tells it: part of reset rewind
// (rewind.h).
//
// The kernel write-protects pages and takes the protection off a page that is written, without telling anybody
// (userfaultfd, asynchronous); a scan finds those pages. Not every kernel can, and containers may forbid it. Which
// pages are there, every kernel tells.
#pragma once

#include <cstdint>

#include "runtime/platform/raw.h"

namespace snarl::runtime {

class PageWatch {
 public:
  static constexpr uint64_t kPage = 4096;
  struct Part {
    uint64_t begin, end, categories;
  };

  // Descriptors are moved up to `from`. Why nothing can be had here; null: all is ready.
  const char* begin(int from);
  // May register() and protect() be called, and written() be asked?
  bool can_watch() const { return uffd_ >= 0; }

  bool watch(uint64_t begin, uint64_t end) const;
  // All watched pages there, from now on. A page that nobody has touched, too.
  bool protect(uint64_t begin, uint64_t end) const;
  // Fills in parts whose pages were written since, as many as there is room for, and how far it came; < 0: it failed.
  long written(uint64_t begin, uint64_t end, Part* parts, uint64_t room, uint64_t& walked_to) const;

  // Does the kernel list pages? Otherwise it is asked for each that could be there, which is too slow for vast areas.
  bool can_list() const { return lists_; }

  // Calls f(page, is_in_memory) for each page that is there, up to the first false; one that is not in memory is on
  // disk, or a guard. False: f said so, or the kernel does not tell.
  template <typename F>
  bool for_each(uint64_t begin, uint64_t end, F&& f) const {
    return lists_ ? for_each_listed(begin, end, f) : for_each_asked(begin, end, f);
  }

 private:
  static constexpr uint64_t kPresent = 1 << 3, kSwapped = 1 << 4;  // PAGE_IS_PRESENT, ...

  template <typename F>
  bool for_each_listed(uint64_t begin, uint64_t end, F& f) const {
    Part parts[64];
    for (uint64_t at = begin, next = 0; at < end; at = next) {
      const long got = list(at, end, parts, 64, next);
      if (got < 0 || next <= at) return false;
      for (long i = 0; i < got; ++i)
        for (uint64_t page = parts[i].begin; page < parts[i].end; page += kPage)
          if (!f(page, (parts[i].categories & kPresent) != 0)) return false;
    }
    return true;
  }

  template <typename F>
  bool for_each_asked(uint64_t begin, uint64_t end, F& f) const {
    constexpr uint64_t kAtOnce = 512, kIsPresent = uint64_t{1} << 63, kIsSwapped = uint64_t{1} << 62;
    uint64_t entries[kAtOnce];
    for (uint64_t at = begin; at < end;) {
      const uint64_t left = (end - at) / kPage;
      const long got =
          raw::call(SYS_pread64, page_map_, entries, 8 * (left < kAtOnce ? left : kAtOnce), at / kPage * 8);
      if (got < 8) return false;
      for (long i = 0; i < got / 8; ++i, at += kPage)
        if ((entries[i] & (kIsPresent | kIsSwapped)) != 0 && !f(at, (entries[i] & kIsPresent) != 0)) return false;
    }
    return true;
  }

  void open_watch(int from);
  long scan(uint64_t begin, uint64_t end, bool protects, Part* parts, uint64_t room, uint64_t& walked_to) const;
  long list(uint64_t begin, uint64_t end, Part* parts, uint64_t room, uint64_t& walked_to) const;

  long uffd_ = -1, page_map_ = -1;
  bool lists_ = false;
};

}  // namespace snarl::runtime
