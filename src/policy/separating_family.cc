#include "policy/separating_family.h"

#include <bit>

namespace snarl::policy {
namespace {

// Irreducible polynomials of degree 1..8 over two elements: x + 1, x^2 + x + 1, x^3 + x + 1, ...
constexpr int kMostBits = 8;
constexpr uint32_t kModulus[kMostBits + 1] = {0, 0b11, 0b111, 0b1011, 0b10011, 0b100101, 0b1000011, 0b10000011, 0x11b};

uint32_t multiply(uint32_t a, uint32_t b, int bits) {
  uint32_t product = 0;
  for (int i = bits - 1; i >= 0; --i) {
    product <<= 1;
    if ((product >> bits & 1) != 0) product ^= kModulus[bits];
    if ((b >> i & 1) != 0) product ^= a;
  }
  return product;
}

uint64_t bits_for(uint64_t n) { return n <= 2 ? 1 : static_cast<uint64_t>(std::bit_width(n - 1)); }

}  // namespace

SeparatingFamily::SeparatingFamily(uint64_t n, int k) {
  if (k < 2) {
    size_ = 2 * bits_for(n);
    return;
  }
  for (int bits = 1; bits <= kMostBits; ++bits) choose_field(n, bits);
}

// Takes the field of 2^bits elements if it has points enough, and needs fewer subsets than the one before.
bool SeparatingFamily::choose_field(uint64_t n, int bits) {
  const uint64_t field = uint64_t{1} << bits;
  const auto digits = (bits_for(n) + static_cast<uint64_t>(bits) - 1) / static_cast<uint64_t>(bits);
  const uint64_t points = 4 * (digits - 1) + 1;
  const uint64_t size = points * 2 * (field - 1);
  if (points > field + 1 || (size_ != 0 && size >= size_)) return false;
  size_ = size;
  bits_ = bits;
  digits_ = static_cast<int>(digits);
  return true;
}

// The last point is infinity: the leading coefficient.
uint32_t SeparatingFamily::value_at(uint64_t element, uint32_t point) const {
  const uint32_t mask = (1u << bits_) - 1;
  const auto digit = [&](int i) { return static_cast<uint32_t>(element >> (i * bits_)) & mask; };
  if (point > mask) return digit(digits_ - 1);
  uint32_t value = 0;
  for (int i = digits_ - 1; i >= 0; --i) value = multiply(value, point, bits_) ^ digit(i);
  return value;
}

bool SeparatingFamily::has(uint64_t subset, uint64_t element) const {
  const bool complement = (subset & 1) != 0;
  const uint64_t nth = subset / 2;
  if (bits_ == 0) return (element >> nth & 1) != complement;
  const uint64_t functions = (uint64_t{1} << bits_) - 1;
  const auto function = static_cast<uint32_t>(nth % functions + 1);
  const uint32_t value = value_at(element, static_cast<uint32_t>(nth / functions));
  return (std::popcount(value & function) & 1) != static_cast<int>(complement);
}

}  // namespace snarl::policy
