// How fast each thread of a run is to be: the speed vectors of Schnauzer (ESEC/FSE 2018), drawn or by hand. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "base/arena.h"
#include "policy/speed_list.h"
#include "schedule/run.h"

namespace snarl::policy {

// The parameters of `speed`, in the order of its row.
enum class SpeedParameter : uint8_t { kEvents, kMode, kBackoff, kInterval };
enum class SpeedText : uint32_t { kNone = 0, kVector, kBasis };  // PolicySpec::given
enum class SpeedEvents : uint8_t { kPoint = 0, kFunction };
enum class SpeedMode : uint8_t { kSerial = 0, kParallel };

inline double value_of(const PolicySpec& spec, SpeedParameter which) { return spec.values[static_cast<size_t>(which)]; }
inline bool counts_functions(const PolicySpec& spec) {
  return value_of(spec, SpeedParameter::kEvents) == static_cast<double>(SpeedEvents::kFunction);
}

// Two threads of the basis, by their places in it, and their speeds.
struct SpeedPair {
  size_t first = 0, second = 0;
  double first_speed = 1, second_speed = 1;
};

// Algorithm 1: for every unordered pair of the basis (1, 2^-1), ... (1, 2^-k), (2^-k, 2^-(k-1)), ... (2^-k, 1). Equal
// speeds are never among them: that is what an operating system does anyway.
constexpr uint64_t sampled_vectors(size_t basis, int k) {
  return basis * (basis - 1) / 2 * 2 * static_cast<uint64_t>(k);
}
SpeedPair sampled_pair(uint64_t nth, size_t basis, int k);

// The speeds of one run. The policy's turn is the number of its vector: first the sampled ones in order, in which
// threads outside of the pair have random speeds, then vectors of random speeds only. A random speed is uniform in
// (0, 1] and depends on the thread's name, not on the order in which threads begin.
class SpeedVector {
 public:
  void begin(const Run& run, Arena& arena);

  double of(uint32_t ordinal, uint64_t name) const;

  // By hand, the speeds may change during the run: after this step `next_part()` is to be called. kNoStep: they don't.
  static constexpr Step kNoStep = ~Step{0};
  Step next_change() const;
  void next_part() { ++part_; }

 private:
  struct Member {
    uint64_t name = 0;  // 0: by ordinal
    uint32_t ordinal = 0;
    bool is(uint32_t its_ordinal, uint64_t its_name) const {
      return name == 0 ? its_ordinal == ordinal : its_name == name && its_ordinal != 0;
    }
  };
  void choose_basis(const Run& run);
  void choose_busiest(const Run& run);

  uint64_t key_ = 0;
  const SpeedList* by_hand_ = nullptr;
  size_t part_ = 0;
  size_t basis_ = 0;
  Member members_[BasisList::kMostBasis];
  bool sampled_ = false;  // otherwise every speed is random
  SpeedPair pair_;
};

}  // namespace snarl::policy
