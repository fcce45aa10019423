#include "os/remote_memory.h"

#include <sys/uio.h>

#include <algorithm>

namespace snarl::os {

std::string read_memory(pid_t pid, uint64_t address, size_t size) {
  constexpr uint64_t kPage = 4096;
  std::string bytes(size, '\0');
  size_t have = 0;
  while (have < size) {  // page by page: one missing page fails the whole request
    const uint64_t at = address + have;
    const size_t part = std::min<size_t>(size - have, kPage - at % kPage);
    const iovec to{bytes.data() + have, part};
    const iovec from{reinterpret_cast<void*>(at), part};  // NOLINT: an address of the other process
    if (process_vm_readv(pid, &to, 1, &from, 1, 0) != static_cast<ssize_t>(part)) break;
    have += part;
  }
  bytes.resize(have);
  return bytes;
}

}  // namespace snarl::os
