// A recorded run as a graph: what each event needs before it, in every other order of the same events.
//
// An event needs the one before it in its thread, and: a thread's first event its creation; a join all of the other
// thread; a read the writes that it reads from. What the theory of locks and variables has no word for stays as it was
// observed: atomic operations on the same bytes of which one writes, operations on the same condition variable,
// semaphore, barrier, read-write lock, futex or once object, signals, and calls to the kernel. Mutexes are kept apart
// (sections), because the order of their critical sections is what a prediction may change.
//
// Works on a trace outside of the tested process, and allocates.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "schedule/event.h"

namespace snarl::detect {

using EventIndex = uint32_t;
constexpr EventIndex kNoEvent = ~EventIndex{0};

// A mutex from when a thread gets it until it gives it back.
struct Section {
  EventIndex acquire = kNoEvent, release = kNoEvent;  // kNoEvent: taken before the trace began, never given back in it
  uint32_t thread = 0;
  uint32_t lock = 0;  // numbered as they come
};

// The plain or atomic accesses of one place and thread to one granule of eight bytes.
struct AccessList {
  uint64_t pc = 0;
  uint32_t thread = 0;
  uint8_t bytes = 0;  // a bit for each byte of the granule
  bool write = false, atomic = false;
  std::vector<EventIndex> events = {};
};
bool conflict(const AccessList& a, const AccessList& b);

class PredictTrace {
 public:
  // Of a serial run from its start, in order. They must outlive this.
  explicit PredictTrace(std::span<const Event> events);

  EventIndex size() const { return static_cast<EventIndex>(events_.size()); }
  uint32_t threads() const { return static_cast<uint32_t>(by_thread_.size()); }
  const Event& event(EventIndex i) const { return events_[i]; }
  uint32_t ordinal(uint32_t thread) const { return ordinals_[thread]; }
  uint32_t thread(EventIndex i) const { return thread_[i]; }
  uint32_t nth(EventIndex i) const { return nth_[i]; }  // in its thread, from 1
  EventIndex at(uint32_t thread, uint32_t nth) const { return by_thread_[thread][nth - 1]; }
  uint32_t count(uint32_t thread) const { return static_cast<uint32_t>(by_thread_[thread].size()); }
  // Kept beside its predecessor in the thread, and in any order.
  std::span<const EventIndex> needs(EventIndex i) const {
    return {needs_.data() + first_need_[i], needs_.data() + first_need_[i + 1]};
  }
  // The section that begins at the event; null: none does.
  const Section* section_at(EventIndex acquire) const;
  // The sections that the thread is in after so many of its events, as indices.
  std::span<const uint32_t> held(uint32_t thread, uint32_t after) const;
  const Section& section(uint32_t index) const { return sections_[index]; }
  std::span<const Section> sections() const { return sections_; }
  // Those of one lock: for each thread that takes it, in order.
  std::span<const std::vector<uint32_t>> users(uint32_t lock) const { return users_[lock]; }

  // Of each granule that two threads access.
  const std::vector<std::vector<AccessList>>& variables() const { return variables_; }

 private:
  struct Write {
    EventIndex event;
    uint8_t bytes;
  };
  struct Granule {
    std::vector<Write> writes;  // the last one of each byte
    EventIndex atomic_write = kNoEvent;
    std::vector<EventIndex> atomic_reads;  // since
    std::vector<AccessList> lists;
  };
  struct Mutex {
    uint32_t number = 0, depth = 0;
    uint32_t owner = 0;  // 1 + thread
    uint32_t last = 0;   // 1 + section
  };

  uint32_t thread_of(uint32_t ordinal);
  void add(EventIndex i);
  void need(EventIndex event);
  void access(EventIndex i);
  void touch(EventIndex i, OpKind kind, Granule& granule, uint8_t bytes);
  void list(EventIndex i, Granule& granule, uint8_t bytes);
  void order(EventIndex i);
  void compare_futex(EventIndex i);
  void follow_once(EventIndex i);
  void follow_hard(EventIndex i, uint64_t object);
  void acquire(EventIndex i, uint64_t lock);
  void release(EventIndex i, uint64_t lock);
  void fail_to_acquire(uint64_t lock);
  Mutex& mutex(uint64_t lock);
  void keep_held(uint32_t thread, const std::vector<uint32_t>& held);

  std::span<const Event> events_;
  std::vector<uint32_t> ordinals_, thread_, nth_;
  std::unordered_map<uint32_t, uint32_t> thread_by_ordinal_;
  std::vector<std::vector<EventIndex>> by_thread_;
  std::vector<EventIndex> needs_;
  std::vector<uint64_t> first_need_;
  std::vector<Section> sections_;
  std::unordered_map<EventIndex, uint32_t> section_at_;
  std::vector<std::vector<std::vector<uint32_t>>> users_;
  std::vector<std::vector<AccessList>> variables_;

  // How the mutexes of a thread changed: after so many events it had those of held_pool_.
  struct Held {
    uint32_t after, begin, end;
  };
  std::vector<std::vector<Held>> held_;
  std::vector<uint32_t> held_pool_;
  std::vector<std::vector<uint32_t>> holding_;  // while the trace is read

  // While the trace is read.
  std::unordered_map<uint64_t, Granule> granules_;
  std::unordered_map<uint64_t, EventIndex> hard_;
  std::unordered_map<uint64_t, Mutex> mutexes_;
  std::unordered_map<uint32_t, EventIndex> created_;  // by ordinal
};

}  // namespace snarl::detect
