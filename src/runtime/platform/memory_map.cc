#include "runtime/platform/memory_map.h"

#include <fcntl.h>

#include "runtime/platform/raw.h"

namespace snarl::runtime::memory_map {
namespace {

// A file of /proc, byte by byte.
class Text {
 public:
  explicit Text(const char* path) : file_(raw::call(SYS_open, path, O_RDONLY | O_CLOEXEC, 0)) {}
  ~Text() { raw::call(SYS_close, file_); }

  // 0 at its end.
  char next() {
    if (at_ == end_) at_ = 0, end_ = raw::call(SYS_read, file_, buffer_, sizeof buffer_);
    return end_ <= 0 ? '\0' : buffer_[at_++];
  }

 private:
  long file_, at_ = 0, end_ = 0;
  char buffer_[1024];
};

uint64_t read_address(Text& text, char& behind) {
  uint64_t value = 0;
  for (behind = text.next(); (behind >= '0' && behind <= '9') || (behind >= 'a' && behind <= 'f'); behind = text.next())
    value = value * 16 + static_cast<uint64_t>(behind <= '9' ? behind - '0' : behind - 'a' + 10);
  return value;
}

// Up to the space behind it.
void skip_word(Text& text, char& c) {
  while (c == ' ') c = text.next();
  while (c != ' ' && c != '\n' && c != '\0') c = text.next();
}

// It has a file's number, which is not 0.
bool has_file(Text& text, char& c) {
  while (c == ' ') c = text.next();
  const bool has = c >= '1' && c <= '9';
  while (c >= '0' && c <= '9') c = text.next();
  return has;
}

// To the end of the line, which may end in "/dev/zero (deleted)".
bool names_zero_file(Text& text, char& c) {
  constexpr char kName[] = "/dev/zero";
  uint32_t found = 0;
  for (; c != '\n' && c != '\0'; c = text.next())
    if (kName[found] != '\0') found = c == kName[found] ? found + 1 : c == kName[0] ? 1 : 0;
  return kName[found] == '\0';
}

}  // namespace

// Lines such as "7ffff7dd5000-7ffff7df7000 rw-p 00000000 fe:00 393 /usr/lib/...".
bool for_each(void (*f)(const Area&, void* data), void* data) {
  Text text("/proc/self/maps");
  bool any = false;
  for (char c = ' '; c != '\0';) {
    Area area;
    area.begin = read_address(text, c);
    area.end = read_address(text, c);
    char flags[4] = {};
    for (char& flag : flags) flag = c = c == '\0' ? c : text.next();
    area.reads = flags[0] == 'r', area.writes = flags[1] == 'w', area.executes = flags[2] == 'x',
    area.is_private = flags[3] == 'p';
    const bool whole = c != '\0';
    if (whole) c = text.next();
    skip_word(text, c);  // where in the file
    skip_word(text, c);  // the device
    area.is_of_file = has_file(text, c);
    area.is_zero_file = names_zero_file(text, c);
    if (whole) f(area, data), any = true;
  }
  return any;
}

}  // namespace snarl::runtime::memory_map
