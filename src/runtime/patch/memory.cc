#include "runtime/patch/memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "runtime/platform/raw.h"

namespace snarl::runtime::patch {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kReach = 0x7ff00000;    // a jump's 2 GB, less what a block itself is long
constexpr uint64_t kStride = 1 << 20;      // one try for each megabyte
constexpr uint64_t kLowest = 0x10000;      // the kernel's default for the lowest address
constexpr uint64_t kHeapRoom = 512 << 20;  // above an executable its heap grows

uint64_t down(uint64_t address) { return address & ~(kPage - 1); }
uint64_t up(uint64_t address) { return down(address + kPage - 1); }

uint8_t* try_at(uint64_t address, uint64_t bytes) {
  const long at = raw::call(SYS_mmap, address, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (at == static_cast<long>(address)) return reinterpret_cast<uint8_t*>(at);
  if (at > 0) raw::call(SYS_munmap, at, bytes);  // an old kernel that doesn't know the flag
  return nullptr;
}

// Where the kernel likes: between libraries that is near, however much else is mapped there.
uint8_t* try_anywhere(uint64_t begin, uint64_t end, uint64_t bytes) {
  const long mapped = raw::call(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped <= 0) return nullptr;
  const auto at = static_cast<uint64_t>(mapped);
  const bool is_near = at < begin ? end - at < kReach : at + bytes - begin < kReach;
  if (is_near) return reinterpret_cast<uint8_t*>(at);
  raw::call(SYS_munmap, at, bytes);
  return nullptr;
}

}  // namespace

uint8_t* map_near(uint64_t begin, uint64_t end, uint64_t bytes) {
  bytes = up(bytes);
  if (end - begin + bytes >= kReach) return nullptr;
  if (uint8_t* block = try_anywhere(begin, end, bytes)) return block;
  for (uint64_t at = down(begin - bytes); at >= kLowest && at < begin && end - at < kReach; at -= kStride)
    if (uint8_t* block = try_at(at, bytes)) return block;
  for (uint64_t at = up(end) + kHeapRoom; at + bytes - begin < kReach; at += kStride)
    if (uint8_t* block = try_at(at, bytes)) return block;
  for (uint64_t at = up(end); at < up(end) + kHeapRoom; at += kStride)
    if (uint8_t* block = try_at(at, bytes)) return block;
  return nullptr;
}

bool may_change_code() {
  const long fd = raw::call(SYS_open, "/proc/self/exe", O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0) return true;  // nobody says that it is forbidden
  const long at = raw::call(SYS_mmap, 0, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  raw::call(SYS_close, fd);
  if (at < 0) return true;
  auto* const page = reinterpret_cast<volatile uint8_t*>(at);
  page[0] = 0xcc;
  const bool may = raw::call(SYS_mprotect, at, kPage, PROT_READ | PROT_EXEC) == 0;
  raw::call(SYS_munmap, at, kPage);
  return may;
}

bool protect(uint64_t begin, uint64_t end, int protection) {
  return raw::call(SYS_mprotect, down(begin), up(end) - down(begin), protection) == 0;
}

}  // namespace snarl::runtime::patch
