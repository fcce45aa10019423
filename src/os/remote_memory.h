// Reads another process's memory.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace snarl::os {

// Up to `size` bytes; fewer where its memory ends.
std::string read_memory(pid_t pid, uint64_t address, size_t size);

}  // namespace snarl::os
