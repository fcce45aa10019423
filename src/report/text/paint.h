// ANSI colours, or none.
#pragma once

#include <string>
#include <string_view>

namespace snarl::report {

enum class Color { kNone, kBold, kRed, kYellow, kCyan, kDim };

class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  std::string operator()(Color color, std::string_view text) const {
    if (!on_ || color == Color::kNone || text.empty()) return std::string(text);
    return std::string(code(color)).append(text).append("\x1b[0m");
  }

 private:
  static const char* code(Color color) {
    switch (color) {
      case Color::kBold: return "\x1b[1m";
      case Color::kRed: return "\x1b[1;31m";
      case Color::kYellow: return "\x1b[33m";
      case Color::kCyan: return "\x1b[36m";
      case Color::kDim: return "\x1b[2m";
      case Color::kNone: break;
    }
    return "";
  }

  bool on_;
};

}  // namespace snarl::report
