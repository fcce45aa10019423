// Where the conductor writes its switches: memory of somebody else (the wire, or a
// test's array), so that the log survives whatever ends the process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "schedule/decision.h"

namespace snarl {

class DecisionLog {
 public:
  // Makes room ready that is about to be used, where it takes long to touch it bit by bit; may do nothing.
  using Prepare = void (*)(std::span<Decision> room);

  DecisionLog(std::span<Decision> room, uint32_t& count, uint64_t& switches, uint64_t& hash, Prepare prepare = nullptr)
      : next_(room.data()),
        ready_(room.data() + std::min(room.size(), prepare == nullptr ? room.size() : kFirst)),
        begin_(room.data()),
        end_(room.data() + room.size()),
        prepare_(prepare),
        count_(count),
        switches_(switches),
        hash_(hash) {
    count_ = 0;
    switches_ = 0;
    hash_ = 0;
  }

  // The place to write the next one; then add it. A copy would cost more than all the rest.
  Decision& room_for_next() { return __builtin_expect(next_ != ready_, 1) ? *next_ : more_room(); }

  void add(const Decision& decision) {
    if (__builtin_expect(next_ != ready_, 1)) ++next_, ++count_;
    ++switches_;
    hash_ = mix64(hash_ ^ (decision.step * 0x9e3779b97f4a7c15 + (uint64_t{decision.from} << 32 | decision.to)));
  }

  // Takes back what was added since.
  struct Mark {
    uint32_t count;
    uint64_t switches, hash;
  };
  Mark mark() const { return {count_, switches_, hash_}; }
  void go_back(const Mark& mark) {
    next_ = begin_ + mark.count;
    count_ = mark.count;
    switches_ = mark.switches;
    hash_ = mark.hash;
  }

 private:
  static constexpr size_t kFirst = 100, kMost = 6400;  // decisions: some 4 and 256 KiB

  // Doubles the room that is ready: most runs are short.
  [[gnu::noinline]] Decision& more_room() {
    if (next_ == end_) return beyond_;
    const auto used = static_cast<size_t>(next_ - begin_);
    ready_ = next_ + std::min({used, kMost, static_cast<size_t>(end_ - next_)});
    prepare_({next_, ready_});
    return *next_;
  }

  Decision beyond_;
  Decision *next_, *ready_;  // room for the first so many switches ...
  Decision *begin_, *end_;   // ... and for these after more_room(); the others are only counted and hashed
  Prepare prepare_;
  uint32_t& count_;
  uint64_t& switches_;
  uint64_t& hash_;
};

}  // namespace snarl
