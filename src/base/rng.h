// xoshiro256** seeded by splitmix64: bit-exact on every machine and back end.
//
// Each use draws from its own stream (docs/rules.md, rule 14), so that a new draw in one place does not shift the
// numbers of another.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace snarl {

enum class Stream : uint64_t { kPolicy = 1, kModel = 2, kFairness = 3, kSearch = 4, kProgram = 5 };

class Rng {
 public:
  struct Later {};  // seeded by assignment before the first draw, if there is one: seeding costs as much as ten draws

  Rng() : Rng(0) {}
  explicit Rng(Later) {}  // NOLINT: leaves state_ alone on purpose
  explicit Rng(uint64_t seed) {
    for (uint64_t& word : state_) {
      word = mix64(seed);
      seed += kSeedStep;
    }
  }
  Rng(uint64_t seed, uint64_t index, Stream stream) : Rng(seed_of(seed, index, stream)) {}
  static uint64_t seed_of(uint64_t seed, uint64_t index, Stream stream) {
    return combine(combine(seed, index), static_cast<uint64_t>(stream));
  }

  // The stream of the thread of that name.
  Rng(uint64_t seed, uint64_t index, Stream stream, uint64_t name)
      : Rng(combine(combine(combine(seed, index), static_cast<uint64_t>(stream)), name)) {}

  uint64_t next() {
    const uint64_t result = output(state_[1]);
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotl(state_[3], 45);
    return result;
  }

  // The first draw of a generator with that seed: for callers that mostly draw once.
  static uint64_t first(uint64_t seed) { return output(mix64(seed + kSeedStep)); }

  // Uniform in [0, bound), without bias (the rejection of the short last interval). bound > 0.
  uint64_t below(uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(next()) * bound;
    if (__builtin_expect(static_cast<uint64_t>(product) < bound, 0)) {
      const uint64_t reject = -bound % bound;
      while (static_cast<uint64_t>(product) < reject) product = static_cast<Wide>(next()) * bound;
    }
    return static_cast<uint64_t>(product >> 64);
  }

 private:
  static constexpr uint64_t kSeedStep = 0x9e3779b97f4a7c15;
  static constexpr uint64_t output(uint64_t second) { return rotl(second * 5, 7) * 9; }
  static constexpr uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  uint64_t state_[4];
};

// A generator that is seeded at its first draw.
class LateRng {
 public:
  explicit LateRng(uint64_t seed = 0) : seed_(seed) {}
  // Draws what `other` would draw. Nothing was drawn from `other` yet.
  void begin_as(const LateRng& other) {
    seed_ = other.seed_;
    is_seeded_ = false;
  }
  uint64_t below(uint64_t bound) {
    if (!is_seeded_) rng_ = Rng(seed_);
    is_seeded_ = true;
    return rng_.below(bound);
  }

 private:
  uint64_t seed_;
  bool is_seeded_ = false;
  Rng rng_{Rng::Later()};
};

}  // namespace snarl
