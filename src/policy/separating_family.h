// Few subsets of n elements, of which one separates any k good ones from any k bad ones.
#pragma once

#include <cstdint>

namespace snarl::policy {

// For all disjoint choices of at most k good and at most k bad elements of 0..n-1, some subset holds every good
// one and no bad one. Nothing is stored: whether an element is in a subset is computed.
//
// k = 1: the bits of the element's number and their complements, 2 ceil(log2 n) subsets (PADTAD'06, figure 4).
//
// k = 2: the number, written in base q, is a polynomial of degree < K over the field of q elements, and its values
// at N = 4 (K - 1) + 1 points (one may be infinity) are its code word. Two words agree at K - 1 points at most, so
// for g1, g2, b1, b2 there is a point where no good value equals a bad one. There, all linear functions of the
// value to one bit and their complements do it: one that is 0 on g1 + g2 and b1 + b2 and 1 on g1 + b1 exists, as
// g1 + b1 is no sum of those two while good and bad values differ. That is 2 N (q - 1) subsets with the q that
// makes it least: 70 for n = 64, 390 for n = 65,536.
class SeparatingFamily {
 public:
  SeparatingFamily(uint64_t n, int k);

  uint64_t size() const { return size_; }  // at least 1
  bool has(uint64_t subset, uint64_t element) const;

 private:
  bool choose_field(uint64_t n, int bits);
  uint32_t value_at(uint64_t element, uint32_t point) const;

  uint64_t size_ = 0;
  int bits_ = 0;    // k = 2: of a field element; k = 1: 0
  int digits_ = 0;  // K
};

}  // namespace snarl::policy
