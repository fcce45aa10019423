#include "runtime/reset/rewound_memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/hash.h"
#include "runtime/platform/memory_map.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/text.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kMostOfFiles = 64 * kMiB, kMost = 1024 * kMiB;
constexpr uint64_t kMostCompared = 64 * kMiB;  // takes ten milliseconds, as long as a hundred copies of a small program
constexpr uint64_t kMostAsked = uint64_t{16} << 30;  // eight bytes are read for each page that could be there
constexpr uint64_t kFewPages = 32;                   // of new pages side by side, more are dropped instead of cleared
constexpr uint64_t kMostGrown = 8 * kMiB;            // of the first thread's stack, as the usual limit has it

constexpr uint64_t kPartOfIt = 8;  // of what is available: each worker wants some

constexpr const char* kNoPages = "the kernel does not tell which pages the program has";

// A page that is not in memory is on disk, or the kernel has marked it as a guard: then nobody can read it.
bool copy_page(char* to, uint64_t page, bool in_memory) {
  if (in_memory) {
    raw::copy(to, reinterpret_cast<const void*>(page), RewoundMemory::kPage);
    return true;
  }
  iovec here{to, RewoundMemory::kPage}, there{reinterpret_cast<void*>(page), RewoundMemory::kPage};
  const long read = raw::call(SYS_process_vm_readv, raw::call(SYS_getpid), &here, 1, &there, 1, 0);
  return read == static_cast<long>(RewoundMemory::kPage);
}

// null: a page of zeros. Not memcmp, which a sanitizer would intercept.
bool is_same_page(uint64_t page, const char* content) {
  using Words = uint64_t[8];
  const auto* here = reinterpret_cast<const Words*>(page);
  const auto* there = reinterpret_cast<const Words*>(content);
  for (uint64_t line = 0; line < RewoundMemory::kPage / sizeof(Words); ++line) {
    uint64_t differs = 0;
    for (int i = 0; i < 8; ++i) differs |= here[line][i] ^ (there == nullptr ? 0 : there[line][i]);
    if (differs != 0) return false;
  }
  return true;
}

// Bytes that the machine can still give; 0: it does not tell.
uint64_t available_memory() {
  char text[512] = {};
  const long file = raw::call(SYS_open, "/proc/meminfo", O_RDONLY | O_CLOEXEC, 0);
  raw::call(SYS_read, file, text, sizeof text - 1);
  raw::call(SYS_close, file);
  for (const char* at = text; *at != '\0'; ++at) {
    if (!begins_with(at, "MemAvailable:")) continue;
    uint64_t kilobytes = 0;
    for (; *at != '\0' && *at != '\n'; ++at)
      if (*at >= '0' && *at <= '9') kilobytes = kilobytes * 10 + static_cast<uint64_t>(*at - '0');
    return kilobytes << 10;
  }
  return 0;
}

uint64_t page_to_skip() {
  const char* text = getenv("SNARL_RT_REWIND_SKIPS");  // for tests: the address of a page, in hexadecimal
  uint64_t value = 0;
  for (; text != nullptr && *text != '\0'; ++text)
    value = value * 16 + static_cast<uint64_t>(*text <= '9' ? *text - '0' : (*text | 32) - 'a' + 10);
  return value & ~(RewoundMemory::kPage - 1);
}

}  // namespace

void RewoundMemory::add_area(const Area& area) {
  if (area.begin >= area.end) return;
  if (area.begin < dropped_.end && area.end > dropped_.begin) {
    add_area({area.begin, dropped_.begin, area.is_of_file});
    return add_area({dropped_.end, area.end, area.is_of_file});
  }
  if (areas_ == kMostAreas) too_many_ = true;
  if (!too_many_) area_[areas_++] = area;
}

const char* RewoundMemory::list_areas() {
  memory_map::for_each(
      [](const memory_map::Area& area, void* data) {
        auto& to = *static_cast<RewoundMemory*>(data);
        const auto own = reinterpret_cast<uint64_t>(data);
        if (!area.writes || (area.begin <= own && own < area.end)) return;
        const auto wire = reinterpret_cast<uint64_t>(engine::shared);
        if (!area.is_private) {
          to.shares_ |= area.begin > wire || area.end <= wire;
          return;
        }
        to.add_area({area.begin, area.end, area.is_of_file});
      },
      this);
  if (too_many_) return "the program has more than 1024 areas of memory";
  if (shares_) return "the program shares memory since before main";
  if (areas_ == 0) return kNoPages;
  low_ = area_[0].begin, high_ = area_[areas_ - 1].end;
  return nullptr;
}

// They are made the program's own, so that none of them is new later.
const char* RewoundMemory::populate_files() {
  uint64_t size = 0;
  for (uint32_t i = 0; i < areas_; ++i) {
    const Area& area = area_[i];
    if (!area.is_of_file) continue;
    size += area.end - area.begin;
    if (size > kMostOfFiles) return "the program maps more than 64 MiB of files to write there";
    raw::make_ready_to_write(area.begin, area.end);
  }
  return nullptr;
}

const char* RewoundMemory::count_pages() {
  uint64_t size = 0;
  for (uint32_t i = 0; i < areas_; ++i) size += area_[i].end - area_[i].begin;
  if (!watch_.can_list() && size > kMostAsked) return "the program reserves more memory than can be looked at";
  for (uint32_t i = 0; i < areas_; ++i) {
    const bool told = watch_.for_each(area_[i].begin, area_[i].end, [this](uint64_t, bool) { return ++pages_ != 0; });
    if (!told) return kNoPages;
  }
  pages_ += 64;  // what is touched until they are kept
  if (pages_ * kPage > kMost) return "the program has more than 1 GiB of memory at main";
  if (pages_ * kPage > available_memory() / kPartOfIt)
    return "there is too little memory for a second copy of the program's";
  if (watch_.can_watch() || pages_ * kPage <= kMostCompared) return nullptr;
  return "the kernel does not tell which pages a run has written (userfaultfd of Linux 6.7 or newer, which a container "
         "may forbid), and the program has more than 64 MiB at main";
}

const char* RewoundMemory::begin(int descriptors_from, Vast vast) {
  skipped_ = page_to_skip();
  const char* why = watch_.begin(descriptors_from);
  if (!watch_.can_list()) dropped_ = vast;
  if (why == nullptr) why = list_areas();
  if (why == nullptr) why = populate_files();
  if (why == nullptr) why = count_pages();
  return why;
}

const char* RewoundMemory::keep_pages(const Area& area, uint64_t most) {
  const char* why = nullptr;
  const bool told = watch_.for_each(area.begin, area.end, [&](uint64_t page, bool in_memory) {
    if (pages_ == most) {
      why = "the program's memory grows while nobody runs";
    } else if (copy_page(contents_ + pages_ * kPage, page, in_memory)) {
      addresses_[pages_++] = page;
    } else if (guards_ == kMostKnown) {
      why = "the program has too many guard pages";
    } else {
      ++guards_;
      remember(page);
    }
    return why == nullptr;
  });
  return told || why != nullptr ? why : kNoPages;
}

const char* RewoundMemory::keep(char* room) {
  const uint64_t most = pages_;
  pages_ = 0;
  contents_ = room;
  addresses_ = reinterpret_cast<uint64_t*>(room + most * kPage);
  for (uint32_t i = 0; i < areas_; ++i) {
    if (watch_.can_watch() && !watch_.watch(area_[i].begin, area_[i].end)) return kNoPages;
    if (const char* why = keep_pages(area_[i], most)) return why;
  }
  return watch_.can_watch() && !watch_.protect(low_, high_) ? kNoPages : nullptr;
}

const char* RewoundMemory::content_of(uint64_t address) const {
  uint64_t low = 0, high = pages_;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    addresses_[middle] < address ? low = middle + 1 : high = middle;
  }
  return low < pages_ && addresses_[low] == address ? contents_ + low * kPage : nullptr;
}

bool RewoundMemory::is_known(uint64_t address) const {
  for (uint64_t slot = mix64(address) % kSlots;; slot = (slot + 1) % kSlots) {
    if (known_address_[slot] == address) return true;
    if (known_address_[slot] == 0) return false;
  }
}

void RewoundMemory::remember(uint64_t address) {
  uint64_t slot = mix64(address) % kSlots;
  while (known_address_[slot] != 0) slot = (slot + 1) % kSlots;
  known_address_[slot] = address;
}

bool RewoundMemory::is_of_file(uint64_t address) const {
  for (uint32_t i = 0; i < areas_; ++i)
    if (address >= area_[i].begin && address < area_[i].end) return area_[i].is_of_file;
  return false;
}

void RewoundMemory::put_back() {
  for (uint32_t i = 0; i < known_; ++i) {
    const Known& known = known_page_[i];
    if (known.content != nullptr)
      raw::copy(reinterpret_cast<void*>(known.address), known.content, kPage);
    else
      raw::fill(reinterpret_cast<void*>(known.address), 0, kPage);
  }
  if (dropped_.end != 0) raw::call(SYS_madvise, dropped_.begin, dropped_.end - dropped_.begin, MADV_DONTNEED);
}

// They are what they were: nothing, or the file's.
bool RewoundMemory::drop_new(uint64_t begin, uint64_t end) {
  found_ += static_cast<long>((end - begin) / kPage);
  return raw::call(SYS_madvise, begin, end - begin, MADV_DONTNEED) == 0;
}

bool RewoundMemory::put_back_page(uint64_t address) {
  if (address == skipped_) return true;
  const char* content = content_of(address);
  if (content == nullptr && (known_ == kMostKnown || is_of_file(address))) return drop_new(address, address + kPage);
  ++found_;
  if (content != nullptr)
    raw::copy(reinterpret_cast<void*>(address), content, kPage);
  else
    raw::fill(reinterpret_cast<void*>(address), 0, kPage);
  if (known_ < kMostKnown) {
    known_page_[known_++] = {address, content};
    remember(address);
    return true;
  }
  return !watch_.can_watch() || watch_.protect(address, address + kPage);
}

bool RewoundMemory::put_back(const PageWatch::Part& part) {
  for (uint64_t page = part.begin; page < part.end;) {
    if (is_known(page)) {
      page += kPage;
      continue;
    }
    uint64_t end = page;  // of the new ones side by side
    while (end < part.end && content_of(end) == nullptr && !is_known(end)) end += kPage;
    const bool many = end - page > kFewPages * kPage;
    if (many ? !drop_new(page, end) : !put_back_page(page)) return false;
    page = many ? end : page + kPage;
  }
  return true;
}

bool RewoundMemory::find_written() {
  for (uint64_t at = low_, next = 0; at < high_; at = next) {
    const long got = watch_.written(at, high_, part_, kParts, next);
    if (got < 0 || next <= at) return false;
    for (long i = 0; i < got; ++i)
      if (!put_back(part_[i])) return false;
  }
  return true;
}

// One that was only read holds zeros.
bool RewoundMemory::find_new(uint64_t begin, uint64_t end) {
  return watch_.for_each(begin, end, [this](uint64_t page, bool in_memory) {
    if (is_known(page) || content_of(page) != nullptr) return true;
    return (in_memory && is_same_page(page, nullptr)) || put_back({page, page + kPage, 0});
  });
}

// The first thread's stack, the last area, may have grown.
bool RewoundMemory::find_changed() {
  for (uint64_t i = 0; i < pages_; ++i)
    if (!is_known(addresses_[i]) && !is_same_page(addresses_[i], contents_ + i * kPage))
      if (!put_back_page(addresses_[i])) return false;
  for (uint32_t i = 0; i < areas_; ++i)
    if (!find_new(area_[i].begin - (i + 1 == areas_ ? kMostGrown : 0), area_[i].end)) return false;
  return true;
}

long RewoundMemory::find_unknown() {
  found_ = 0;
  const bool good = watch_.can_watch() ? find_written() : find_changed();
  return good ? found_ : -1;
}

}  // namespace snarl::runtime
