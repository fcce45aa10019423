// A window of a trace as a formula: which of its events happen, and in which order.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "detect/sync_preserving.h"

namespace snarl::detect {

// c3: how many events of thread 3 of the window happen. o17: the time of event 17.
class CausalWindow {
 public:
  CausalWindow(const PredictTrace& trace, EventIndex begin, EventIndex end);

  // Declarations and assertions.
  const std::string& formula() const { return text_; }
  // That the thread of the event is just before it.
  std::string is_next(EventIndex event) const;
  // The order that the solver's values say, as it answers to get_values().
  std::string get_values() const;
  std::vector<Stretch> witness(const std::string& values) const;

 private:
  struct Word {  // of memory, that all accesses access as a whole
    std::vector<EventIndex> accesses = {};
    bool whole = true;
  };

  bool is_here(EventIndex i) const { return i >= begin_ && i < end_; }
  std::string in(EventIndex i) const;
  std::string before(EventIndex a, EventIndex b) const;
  std::string done_before(EventIndex a, EventIndex b) const;
  void say(const std::string& assertion) { text_ += "(assert " + assertion + ")\n"; }
  void declare();
  void say_needs();
  void say_locks();
  void exclude(const Section& one, const Section& other);
  void say_memory();
  void keep_order(const Word& word);
  void say_read(EventIndex read, const Word& word);
  uint64_t written(EventIndex i) const;
  bool starts_with(const Word& word, uint64_t value) const;

  const PredictTrace& trace_;
  EventIndex begin_, end_;
  std::vector<uint32_t> first_;  // by thread: its events before the window
  std::vector<uint32_t> count_;  // and in it
  std::string text_;
  std::map<uint64_t, uint64_t> before_;  // what earlier writes left, by address
};

}  // namespace snarl::detect
