// How a text for people is laid out.
#pragma once

#include <cstddef>

namespace snarl::report {

struct TextOptions {
  size_t width = 100;  // columns; less than 60 counts as 60
  bool color = false;  // ANSI colours; never otherwise
};

}  // namespace snarl::report
