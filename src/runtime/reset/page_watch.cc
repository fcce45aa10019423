#include "runtime/reset/page_watch.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "runtime/platform/text.h"
#include "runtime/reset/forgone.h"

namespace snarl::runtime {
namespace {

// Newer than many headers.
constexpr uint64_t kFindsUnpopulated = 1 << 13, kAsynchronous = 1 << 15;  // UFFD_FEATURE_WP_UNPOPULATED, ..._WP_ASYNC
constexpr uint64_t kWatched = 1 << 0, kWritten = 1 << 1;                  // PAGE_IS_WPALLOWED, ...
constexpr uint64_t kProtects = 1 << 0;                                    // PM_SCAN_WP_MATCHING
constexpr uint64_t kScan = 0xc0606610;                                    // PAGEMAP_SCAN
struct ScanOrder {                                                        // pm_scan_arg
  uint64_t size = sizeof(ScanOrder), flags = 0, start, end, walked_to = 0, parts, count, most_pages = 0;
  uint64_t inverted = 0, all_of = 0, any_of = 0, told = 0;
};
static_assert(sizeof(ScanOrder) == 96);

bool failed(long result) { return result < 0 && result > -4096; }

// Far from what the program expects.
long move_up(long file, int from) {
  if (failed(file)) return -1;
  const long moved = raw::call(SYS_fcntl, file, F_DUPFD_CLOEXEC, from);
  raw::call(SYS_close, file);
  return failed(moved) ? -1 : moved;
}

}  // namespace

const char* PageWatch::begin(int from) {
  page_map_ =
      forgoes("pagemap") ? -1 : move_up(raw::call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0), from);
  if (page_map_ < 0) return "the kernel does not tell which pages the program has (/proc/self/pagemap)";
  uint64_t walked_to = 0;
  Part part;
  lists_ = !forgoes("scan") && list(0, kPage, &part, 1, walked_to) >= 0;
  if (lists_ && !forgoes("userfaultfd")) open_watch(from);
  return nullptr;
}

void PageWatch::open_watch(int from) {
  uffd_ = move_up(raw::call(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY), from);
  if (uffd_ < 0) return;
  uffdio_api api = {.api = UFFD_API, .features = kFindsUnpopulated | kAsynchronous, .ioctls = 0};
  if (raw::call(SYS_ioctl, uffd_, UFFDIO_API, &api) == 0) return;
  raw::call(SYS_close, uffd_);
  uffd_ = -1;
}

bool PageWatch::watch(uint64_t begin, uint64_t end) const {
  uffdio_register order = {.range = {begin, end - begin}, .mode = UFFDIO_REGISTER_MODE_WP, .ioctls = 0};
  return raw::call(SYS_ioctl, uffd_, UFFDIO_REGISTER, &order) == 0;
}

long PageWatch::scan(uint64_t begin, uint64_t end, bool protects, Part* parts, uint64_t room,
                     uint64_t& walked_to) const {
  ScanOrder order{.start = begin, .end = end, .parts = reinterpret_cast<uint64_t>(parts), .count = room};
  order.all_of = kWatched | kWritten, order.any_of = kPresent | kSwapped;
  order.flags = protects ? kProtects : 0;
  order.told = protects ? 0 : order.all_of;
  const long got = raw::call(SYS_ioctl, page_map_, kScan, &order);
  walked_to = order.walked_to;
  return got;
}

long PageWatch::list(uint64_t begin, uint64_t end, Part* parts, uint64_t room, uint64_t& walked_to) const {
  ScanOrder order{.start = begin, .end = end, .parts = reinterpret_cast<uint64_t>(parts), .count = room};
  order.any_of = order.told = kPresent | kSwapped;
  const long got = raw::call(SYS_ioctl, page_map_, kScan, &order);
  walked_to = order.walked_to;
  return got;
}

bool PageWatch::protect(uint64_t begin, uint64_t end) const {
  uint64_t walked_to = 0;
  return scan(begin, end, true, nullptr, 0, walked_to) >= 0 && walked_to >= end;
}

long PageWatch::written(uint64_t begin, uint64_t end, Part* parts, uint64_t room, uint64_t& walked_to) const {
  return scan(begin, end, false, parts, room, walked_to);
}

}  // namespace snarl::runtime
