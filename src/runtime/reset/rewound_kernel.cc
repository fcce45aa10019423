#include "runtime/reset/rewound_kernel.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "runtime/platform/memory_map.h"
#include "runtime/platform/raw.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kWayGiving = uint64_t{1} << (wire::kWayGivingSignal - 1);  // the explorer's: it may come at any time
constexpr const char* kLeavesMemory = "a schedule leaves memory mapped";

uint64_t up_to_page(uint64_t size) { return (size + kPage - 1) & ~(kPage - 1); }

long lowest_free_descriptor() {
  const long file = raw::call(SYS_dup, 0);
  if (file >= 0) raw::call(SYS_close, file);
  return file;
}

bool has_type(int fd, mode_t type) {
  struct stat status;
  return raw::call(SYS_fstat, fd, &status) == 0 && (status.st_mode & S_IFMT) == type;
}

// Where the first thread's stack begins: it is that in which we are, or the one above all others.
uint64_t stack_begin() {
  uint64_t begin = 0;
  memory_map::for_each(
      [](const memory_map::Area& area, void* data) {
        if (area.writes && area.is_private && area.begin < uint64_t{1} << 47)
          *static_cast<uint64_t*>(data) = area.begin;
      },
      &begin);
  return begin;
}

}  // namespace

void RewoundKernel::begin() {
  raw::call(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask_, sizeof mask_);
  raw::call(SYS_sigaltstack, 0, &signal_stack_);
  for (int signal = 1; signal <= 64; ++signal)
    raw::call(SYS_rt_sigaction, signal, 0, &action_[signal - 1], sizeof(uint64_t));
  break_ = static_cast<uint64_t>(raw::call(SYS_brk, 0));
  raw::call(SYS_prctl, PR_GET_NAME, name_);
  input_is_file_ = has_type(0, S_IFREG);
  input_offset_ = raw::call(SYS_lseek, 0, 0, SEEK_CUR);
  for (uint8_t fd = 1; fd < 3; ++fd) output_of_[fd] = has_type(fd, S_IFIFO) ? fd : 0;
  free_descriptor_ = lowest_free_descriptor();
  const long file = raw::call(SYS_open, "/proc/self/statm", O_RDONLY | O_CLOEXEC, 0);
  statm_ = raw::call(SYS_fcntl, file, F_DUPFD_CLOEXEC, 600);
  raw::call(SYS_close, file);
  stack_begin_ = stack_begin();
  size_ = size();
}

// In pages, and without what the first thread's stack has grown.
uint64_t RewoundKernel::size() const {
  char text[64];
  const long got = raw::call(SYS_pread64, statm_, text, sizeof text, 0);
  uint64_t pages = 0;
  for (long i = 0; i < got && text[i] >= '0' && text[i] <= '9'; ++i)
    pages = pages * 10 + static_cast<uint64_t>(text[i] - '0');
  return pages;
}

bool RewoundKernel::has_same_size() {
  const uint64_t now = size();
  if (now == size_) return true;
  const uint64_t begin = stack_begin(), grown = begin < stack_begin_ ? (stack_begin_ - begin) / kPage : 0;
  if (now != size_ + grown) return false;
  size_ = now, stack_begin_ = begin;
  return true;
}

bool RewoundKernel::exists(uint64_t fd) const { return raw::call(SYS_fcntl, fd, F_GETFD) >= 0; }

bool RewoundKernel::take(uint64_t fd) {
  if (fd >= kMostDescriptors) return false;
  own_[fd / 64] |= uint64_t{1} << fd % 64;
  return true;
}

bool RewoundKernel::take_copy(uint64_t copy, uint64_t fd) {
  if (!take(copy)) return false;
  output_of_[copy] = static_cast<uint8_t>(output_of(fd));
  return true;
}

void RewoundKernel::forget(uint64_t fd) {
  own_[fd / 64] &= ~(uint64_t{1} << fd % 64);
  output_of_[fd] = 0;
}

void RewoundKernel::close_own() {
  for (uint64_t word = 0; word < kMostDescriptors / 64; ++word)
    while (own_[word] != 0) {
      const uint64_t fd = word * 64 + static_cast<uint64_t>(__builtin_ctzll(own_[word]));
      forget(fd);
      raw::call(SYS_close, fd);
    }
}

bool RewoundKernel::is_own(uint64_t begin, uint64_t size) const {
  uint64_t at = begin;
  const uint64_t end = begin + up_to_page(size);
  while (at < end) {
    uint64_t next = at;
    for (uint32_t i = 0; i < mappings_; ++i)
      if (at >= mapping_[i].begin && at < mapping_[i].end) next = mapping_[i].end;
    if (next == at) return false;
    at = next;
  }
  return size != 0 && end > begin;
}

bool RewoundKernel::note_mapped(uint64_t begin, uint64_t size) {
  if (mappings_ == kMostMappings) return false;
  mapping_[mappings_++] = {begin, begin + up_to_page(size)};
  return true;
}

bool RewoundKernel::note_unmapped(uint64_t begin, uint64_t size) {
  const uint64_t end = begin + up_to_page(size);
  for (uint32_t i = 0; i < mappings_;) {
    Mapping& one = mapping_[i];
    if (end <= one.begin || begin >= one.end) {
      ++i;
      continue;
    }
    const Mapping above = {end, one.end};
    one.end = begin > one.begin ? begin : one.begin;
    if (one.end == one.begin) one = mapping_[--mappings_];  // and is looked at again
    if (above.end > above.begin && !note_mapped(above.begin, above.end - above.begin)) return false;
  }
  return true;
}

bool RewoundKernel::unmap_own() {
  bool all = true;
  for (; mappings_ != 0; --mappings_) {
    const Mapping& one = mapping_[mappings_ - 1];
    all &= raw::call(SYS_munmap, one.begin, one.end - one.begin) == 0;
  }
  return all;
}

void RewoundKernel::put_back_actions() {
  for (; changed_actions_ != 0; changed_actions_ &= changed_actions_ - 1) {
    const int index = __builtin_ctzll(changed_actions_);
    raw::call(SYS_rt_sigaction, index + 1, &action_[index], 0, sizeof(uint64_t));
  }
}

const char* RewoundKernel::put_back() {
  raw::call(SYS_sigaltstack, &signal_stack_, 0);
  raw::call(SYS_prctl, PR_SET_NAME, name_);
  put_back_actions();
  close_own();
  if (std::exchange(moved_input_, false)) raw::call(SYS_lseek, 0, input_offset_, SEEK_SET);
  bool all = unmap_own();
  if (std::exchange(moved_break_, false)) all &= static_cast<uint64_t>(raw::call(SYS_brk, break_)) == break_;
  raw::call(SYS_rt_sigprocmask, SIG_SETMASK, &mask_, 0, sizeof mask_);
  return all ? nullptr : kLeavesMemory;
}

const char* RewoundKernel::find_rest() {
  if (static_cast<uint64_t>(raw::call(SYS_brk, 0)) != break_ || !has_same_size()) return kLeavesMemory;
  if (lowest_free_descriptor() != free_descriptor_) return "a schedule leaves a descriptor open";
  uint64_t pending = 0;
  raw::call(SYS_rt_sigpending, &pending, sizeof pending);
  return (pending & ~kWayGiving) != 0 ? "a schedule leaves signals pending" : nullptr;
}

}  // namespace snarl::runtime
