#include "explore/target/code_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>

namespace snarl::explore {

bool is_system_code(const std::string& file_name) {
  const auto begins = [&](const char* with) { return file_name.starts_with(with); };
  return begins("libc.so") || begins("libc-2") || begins("ld-linux") || begins("libpthread") || begins("[");
}

const CodeMap::Range* CodeMap::find(uint64_t address) const {
  const auto at = std::ranges::find_if(ranges_, [=](const Range& r) { return address >= r.begin && address < r.end; });
  return at == ranges_.end() ? nullptr : &*at;
}

// Lines of /proc/PID/maps: "begin-end rwxp offset device inode   path".
void CodeMap::read(pid_t pid) {
  ranges_.clear();
  std::ifstream maps(fmt::format("/proc/{}/maps", pid));
  for (std::string line; std::getline(maps, line);) {
    Range range;
    char flags[5] = "";
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &range.begin, &range.end, flags) != 3 ||
        flags[2] != 'x')
      continue;
    const size_t path = line.find_first_of("/[");
    const std::string name = path == line.npos ? "" : line.substr(std::max(path, line.rfind('/') + 1));
    range.owner = is_system_code(name) ? "" : name;
    ranges_.push_back(std::move(range));
  }
}

const std::string& CodeMap::owner(pid_t pid, uint64_t address) {
  static const std::string kNone;
  const Range* range = find(address);
  if (range == nullptr) {
    read(pid);
    range = find(address);
  }
  return range == nullptr ? kNone : range->owner;
}

}  // namespace snarl::explore
