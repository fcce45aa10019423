// Vector clocks in memory that the caller owns: how far each thread had come, as another one knows it.
//
// A clock is a handle; its words lie in one pool. A clock grows with the number of slots in use, and leaves its old
// words behind, so the pool holds at most twice what is in use. When the pool is full nothing more is joined, and
// is_full() says so: whoever compares then may not call anything unordered.
#pragma once

#include <cstdint>
#include <span>

namespace snarl::detect {

using Time = uint32_t;

struct Clock {
  uint32_t at = 0;    // in the pool
  uint32_t size = 0;  // words; times beyond are 0
};

class Clocks {
 public:
  Clocks() = default;
  explicit Clocks(std::span<Time> pool) : pool_(pool) {}

  bool is_full() const { return full_; }

  Time time(const Clock& clock, uint32_t slot) const { return slot < clock.size ? pool_[clock.at + slot] : 0; }

  void set(Clock& clock, uint32_t slot, Time time) {
    if (slot >= clock.size && !grow(clock, slot + 1)) return;
    pool_[clock.at + slot] = time;
  }

  // `to` knows what `from` knows, too.
  void join(Clock& to, const Clock& from) {
    if (from.size > to.size && !grow(to, from.size)) return;
    for (uint32_t i = 0; i < from.size; ++i)
      if (Time& time = pool_[to.at + i]; time < pool_[from.at + i]) time = pool_[from.at + i];
  }

  // Does `clock` know all that `other` knows?
  bool covers(const Clock& clock, const Clock& other) const {
    for (uint32_t i = 0; i < other.size; ++i)
      if (time(clock, i) < pool_[other.at + i]) return false;
    return true;
  }

  void clear(const Clock& clock) {
    for (uint32_t i = 0; i < clock.size; ++i) pool_[clock.at + i] = 0;
  }

  void assign(Clock& to, const Clock& from) {
    clear(to);
    join(to, from);
  }

 private:
  bool grow(Clock& clock, uint32_t least) {
    uint32_t size = clock.size == 0 ? 4 : clock.size;
    while (size < least) size *= 2;
    if (full_ || pool_.size() - used_ < size) {
      full_ = true;
      return false;
    }
    const Clock old = clock;
    clock = {used_, size};
    used_ += size;
    for (uint32_t i = 0; i < size; ++i) pool_[clock.at + i] = i < old.size ? pool_[old.at + i] : 0;
    return true;
  }

  std::span<Time> pool_;
  uint32_t used_ = 0;
  bool full_ = false;
};

}  // namespace snarl::detect
