// A place that accesses what other threads access too: learned by earlier runs, frozen per epoch (docs/rules.md, rule
// 13).
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace snarl {

// Means the same in every process.
struct SharedPlace {
  uint64_t module = 0;  // hash_file_name of its file
  uint64_t offset = 0;  // of the return address, in the file

  friend constexpr auto operator<=>(const SharedPlace&, const SharedPlace&) = default;
};

// Of the last part of a path: where a file lies says nothing about what is in it.
constexpr uint64_t hash_file_name(const char* path) {
  uint64_t hash = 0;
  for (; *path != '\0'; ++path) hash = *path == '/' ? 0 : combine(hash, static_cast<unsigned char>(*path));
  return hash;
}

}  // namespace snarl
