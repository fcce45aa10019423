// Words as C has them, without a call of libc's: these run where its tables are not to be relied on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace snarl::runtime {

inline bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

inline bool begins_with(const char* text, const char* with) {
  while (*with != '\0' && *text == *with) ++text, ++with;
  return *with == '\0';
}

inline bool contains(const char* text, const char* part) {
  for (; *text != '\0'; ++text)
    if (begins_with(text, part)) return true;
  return false;
}

// Is `line` one of the lines of `text`?
inline bool has_line(const char* text, const char* line) {
  while (*text != '\0') {
    const char* at = line;
    while (*at != '\0' && *text == *at) ++text, ++at;
    if (*at == '\0' && (*text == '\0' || *text == '\n')) return true;
    while (*text != '\0' && *text != '\n') ++text;
    if (*text == '\n') ++text;
  }
  return false;
}

// What follows the last slash.
inline const char* file_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

// Writes words and numbers one after the other, as far as there is room; always terminated.
class TextWriter {
 public:
  template <size_t N>
  explicit TextWriter(char (&text)[N]) : text_(text), size_(N) {}

  TextWriter& operator<<(const char* part) {
    while (part != nullptr && *part != '\0' && length_ + 1 < size_) text_[length_++] = *part++;
    text_[length_] = '\0';
    return *this;
  }
  TextWriter& operator<<(uint64_t number) {
    char digits[24];
    int at = sizeof digits - 1;
    digits[at] = '\0';
    do digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    return *this << (digits + at);
  }

 private:
  char* text_;
  size_t size_, length_ = 0;
};

}  // namespace snarl::runtime
