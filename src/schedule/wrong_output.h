// What is wrong with the output of a run that ended as it should. Plain data.
#pragma once

#include <cstdint>
#include <string>

namespace snarl {

struct WrongOutput {
  enum class Kind : uint8_t { kNone, kDiffers, kForbidden };

  Kind kind = Kind::kNone;
  uint64_t line = 0;          // of its stream, from 1: the first that is wrong
  bool on_stderr = false;     // kForbidden
  std::string expected = {};  // kDiffers: that line, or the part of a long one that differs; kForbidden: the pattern
  std::string got = {};
  bool ends_early = false;  // kDiffers: there is no such line in the output ...
  bool has_more = false;    // ... or in what is expected

  bool operator==(const WrongOutput&) const = default;
};

}  // namespace snarl
