// Words as C has them, without a call of libc's: these run where its tables are not to be relied on.
#pragma once

namespace snarl {

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

// What follows the last slash.
inline const char* file_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

}  // namespace snarl
