// The loads of spin loops that are to be points in one file, for the scanner.
#pragma once

#include "wire/layout.h"

namespace snarl::runtime::patch {

class SpinLoads {
 public:
  SpinLoads() = default;
  // Those of Options::spin_load that lie in this file.
  explicit SpinLoads(const wire::Module& module);

  bool any() const { return text_[0] != '\0'; }
  const char* text() const { return text_; }  // addresses in the file, hexadecimal: "11b4 11f0 "

 private:
  char text_[wire::kMaxSpinLoads * 17 + 1] = {};
};

}  // namespace snarl::runtime::patch
