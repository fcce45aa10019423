// A file that a process has open when it starts, so that another one can be given the same. Plain data.
#pragma once

#include <string>

namespace snarl {

struct OpenedFile {
  int number = 0;    // of its descriptor
  int flags = 0;     // as of open(2)
  long offset = 0;   // where it stands
  std::string path;  // absolute

  bool operator==(const OpenedFile&) const = default;
};

}  // namespace snarl
