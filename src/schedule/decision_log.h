// Where the conductor writes its switches: memory of somebody else (the wire, or a
// test's array), so that the log survives whatever ends the process.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "schedule/decision.h"

namespace snarl {

class DecisionLog {
 public:
  DecisionLog(std::span<Decision> room, uint32_t& count, uint64_t& switches, uint64_t& hash)
      : next_(room.data()), end_(room.data() + room.size()), count_(count), switches_(switches), hash_(hash) {
    count_ = 0;
    switches_ = 0;
    hash_ = 0;
  }

  // To be written there, and then added: a copy would cost more than all the rest.
  Decision& room_for_next() { return __builtin_expect(next_ != end_, 1) ? *next_ : beyond_; }

  void add(const Decision& decision) {
    if (__builtin_expect(next_ != end_, 1)) ++next_, ++count_;
    ++switches_;
    hash_ = mix64(hash_ ^ (decision.step * 0x9e3779b97f4a7c15 + (uint64_t{decision.from} << 32 | decision.to)));
  }

 private:
  Decision beyond_;
  Decision *next_, *end_;  // room for the first so many switches; the others are only counted and hashed
  uint32_t& count_;
  uint64_t& switches_;
  uint64_t& hash_;
};

}  // namespace snarl
