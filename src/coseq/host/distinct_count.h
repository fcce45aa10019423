// An estimate of how many different values were seen (HyperLogLog: Flajolet, Fusy, Gandouet, Meunier, AofA 2007).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/hash.h"

namespace snarl::coseq {

// Plain data: it may lie in memory that several processes share.
class DistinctCount {
 public:
  void add(uint64_t hash) {
    hash = mix64(hash);
    const size_t at = hash >> (64 - kBits);
    const int rank = std::countl_zero(hash << kBits | 1) + 1;
    most_[at] = std::max(most_[at], static_cast<uint8_t>(rank));
  }
  void merge(const DistinctCount& other) {
    for (size_t i = 0; i < kSize; ++i) most_[i] = std::max(most_[i], other.most_[i]);
  }
  // Of what was seen elsewhere: its registers.
  void merge(const std::vector<uint8_t>& most) {
    for (size_t i = 0; i < kSize && i < most.size(); ++i) most_[i] = std::max(most_[i], most[i]);
  }
  uint64_t estimate() const {
    constexpr double m = kSize;
    double sum = 0, empty = 0;
    for (const uint8_t rank : most_) {
      sum += std::ldexp(1, -rank);
      empty += rank == 0;
    }
    double value = 0.7213 / (1 + 1.079 / m) * m * m / sum;
    if (value <= 2.5 * m && empty > 0) value = m * std::log(m / empty);
    return static_cast<uint64_t>(std::llround(value));
  }

 private:
  static constexpr int kBits = 12;
  static constexpr size_t kSize = size_t{1} << kBits;
  uint8_t most_[kSize] = {};
};

}  // namespace snarl::coseq
