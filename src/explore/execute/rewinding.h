// What came of reset rewind, of all workers of an exploration. Any thread may ask.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace snarl::explore {

class Rewinding {
 public:
  // Of the runs that passed, one of so many is made again. The schedules with a smaller index are made by copies.
  explicit Rewinding(uint64_t every, uint64_t begins = 0) : compares_every(every), begins_at(begins) {}
  const uint64_t compares_every, begins_at;

  // From now on, every run is a copy's. The first reason stays.
  void demote(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (why_.empty()) why_ = why;
  }
  // The same, for a run that went otherwise than in a process that had made no other: what was rewound can't be
  // trusted.
  void distrust(const std::string& why) {
    demote(why);
    const std::lock_guard lock(mutex_);
    ++differed_;
  }
  void note_rewound(uint64_t runs) { add(rewound_, runs); }
  void note_compared() { add(compared_, 1); }

  std::string why() const { return get(why_); }  // empty: runs are rewound
  uint64_t rewound() const { return get(rewound_); }
  uint64_t compared() const { return get(compared_); }
  uint64_t differed() const { return get(differed_); }

 private:
  void add(uint64_t& to, uint64_t runs) {
    const std::lock_guard lock(mutex_);
    to += runs;
  }
  template <typename T>
  T get(const T& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }

  mutable std::mutex mutex_;
  std::string why_;
  uint64_t rewound_ = 0;   // runs that passed
  uint64_t compared_ = 0;  // of those that were made again by a process that had made no other
  uint64_t differed_ = 0;  // of those
};

}  // namespace snarl::explore
