// Which file the code of a process at some address comes from.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace snarl::explore {

// libc, the loader and the kernel's own page: system calls there are nobody else's.
bool is_system_code(const std::string& file_name);

class CodeMap {
 public:
  // The file name of what is mapped there; empty for system code and for what has no file.
  const std::string& owner(pid_t pid, uint64_t address);

  // The process has become another program.
  void forget() { ranges_.clear(); }

 private:
  struct Range {
    uint64_t begin = 0, end = 0;
    std::string owner;
  };
  const Range* find(uint64_t address) const;
  void read(pid_t pid);

  std::vector<Range> ranges_;
};

}  // namespace snarl::explore
