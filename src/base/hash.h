// Mixing functions whose values are part of our formats: never change them.
#pragma once

#include <cstdint>
#include <string_view>

namespace snarl {

// The finaliser of splitmix64: a bijection whose output bits all depend on all input bits.
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr uint64_t combine(uint64_t a, uint64_t b) { return mix64(a ^ mix64(b)); }

constexpr uint64_t hash_text(std::string_view text) {
  uint64_t h = text.size();
  for (char c : text) h = combine(h, static_cast<unsigned char>(c));
  return h;
}

// A thread's name: the hash of its parent's name and "its n-th child". Stable across runs.
constexpr uint64_t kMainName = 0x6d61696e;  // "main"
constexpr uint64_t name_of_child(uint64_t parent, uint32_t nth) { return combine(parent, nth + 1); }

}  // namespace snarl
