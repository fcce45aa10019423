// The program's memory as it was at main, and the way back to it: part of reset rewind (rewind.h).
//
// Runs write nearly the same pages. A page that some run has written is known from then on, and copied back after each
// run; that takes no system call. Whether a run wrote to others is looked for now and then (find_unknown): the kernel
// tells (page_watch.h), or else all pages are compared. Runs that began between two looks are to be believed only if
// the second one finds nothing.
#pragma once

#include <cstdint>

#include "runtime/reset/page_watch.h"

namespace snarl::runtime {

class RewoundMemory {
 public:
  static constexpr uint64_t kPage = PageWatch::kPage;

  // May be far larger than all memory, and is empty at main.
  struct Vast {
    uint64_t begin, end;
  };

  // Why it can't be had here; null: all is ready. Lists what there is, and fills in what comes from files.
  const char* begin(int descriptors_from, Vast vast);
  uint64_t pages() const { return pages_; }
  // Keeps the pages at `room`, which has kPage bytes and an address for each, and begins to watch them. By somebody
  // whose stack is not among them.
  const char* keep(char* room);
  // The pages that are known.
  void put_back();
  // The others: puts back those that were written since the last time, and counts them; < 0: the kernel failed us, and
  // nobody may go on.
  long find_unknown();

 private:
  struct Area {
    uint64_t begin, end;
    bool is_of_file;
  };
  struct Known {
    uint64_t address;
    const char* content;  // null: it is new, and all zero
  };

  const char* list_areas();
  void add_area(const Area& area);
  const char* populate_files();
  const char* count_pages();
  const char* keep_pages(const Area& area, uint64_t most);
  bool find_written();
  bool find_changed();
  bool find_new(uint64_t begin, uint64_t end);
  bool put_back(const PageWatch::Part& part);
  bool put_back_page(uint64_t address);
  bool drop_new(uint64_t begin, uint64_t end);
  bool is_of_file(uint64_t address) const;
  const char* content_of(uint64_t address) const;
  bool is_known(uint64_t address) const;
  void remember(uint64_t address);

  static constexpr uint32_t kMostAreas = 1024, kMostKnown = 1 << 14, kSlots = 4 * kMostKnown, kParts = 512;

  PageWatch watch_;
  uint64_t skipped_ = 0;  // for tests: a page that is left as it is
  Vast dropped_ = {};     // the vast area, if nobody lists its pages: it is emptied after each run
  uint32_t areas_ = 0, known_ = 0, guards_ = 0;
  bool too_many_ = false, shares_ = false;
  long found_ = 0;
  uint64_t low_ = 0, high_ = 0, pages_ = 0;
  uint64_t* addresses_ = nullptr;  // in order
  char* contents_ = nullptr;
  Area area_[kMostAreas];
  Known known_page_[kMostKnown];
  uint64_t known_address_[kSlots];  // the same, to find them, and guards, which stay as they are; 0: none
  PageWatch::Part part_[kParts];
};

}  // namespace snarl::runtime
