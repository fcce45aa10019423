// A hash of all that a run writes to its two outputs, whatever the parts in which it comes.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace snarl {

// Of one output. FNV-1a: quick for a few bytes.
class OutputHash {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

inline uint64_t hash_of_outputs(const OutputHash& out, const OutputHash& err) {
  return combine(out.value(), ~err.value());
}

}  // namespace snarl
