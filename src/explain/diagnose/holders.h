// Who holds what, while the events of a run are walked.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "schedule/event.h"

namespace snarl::explain {

class Holders {
 public:
  struct Hold {
    uint32_t thread = 0;
    size_t event = 0;  // that took it
    bool reading = false;
  };

  void perform(const Event& event, size_t index);

  const std::vector<Hold>& of(uint64_t object) const;
  // Held, and only by readers.
  bool is_read(uint64_t object) const;
  // In the order in which they were taken.
  std::vector<Hold> of_thread(uint32_t thread) const;

 private:
  void take(uint64_t object, const Hold& hold) { holds_[object].push_back(hold); }
  void release(uint64_t object, uint32_t thread);

  std::unordered_map<uint64_t, std::vector<Hold>> holds_;
};

}  // namespace snarl::explain
