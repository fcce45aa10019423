// Small random traces, and all orders in which their events could have happened, one by one: a witness for predictions
// that shares nothing with them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "schedule/event.h"

namespace snarl::detect {

enum class Did { kStart, kCreate, kJoin, kRead, kWrite, kAtomicLoad, kAtomicStore, kUpdate, kAcquire, kRelease, kPost };

// Of a trace: what, on which object or thread, and the value that was read or written.
struct Told {
  int thread = 0;
  Did did = Did::kStart;
  int object = 0;
  int value = 0;
};
using Trace = std::vector<Told>;
using PairOfEvents = std::pair<size_t, size_t>;

inline bool is_access(Did did) { return did >= Did::kRead && did <= Did::kUpdate; }
inline bool does_read(Did did) { return did == Did::kRead || did == Did::kAtomicLoad || did == Did::kUpdate; }
inline bool does_write(Did did) { return did == Did::kWrite || did == Did::kAtomicStore || did == Did::kUpdate; }
inline bool is_atomic_access(Did did) { return is_access(did) && did != Did::kRead && did != Did::kWrite; }

// Main creates the others, who do as they like; locks are free when they are taken. Few values, so that some writes
// write the same.
inline Trace random_trace(Rng& rng, int threads, size_t steps, int values) {
  Trace trace;
  std::vector<int> memory(3), owner(2, -1);
  std::vector<bool> begun(static_cast<size_t>(threads));
  for (int t = 1; t < threads; ++t) trace.push_back({0, Did::kCreate, t});
  while (trace.size() < steps) {
    const int t = static_cast<int>(rng.below(static_cast<uint64_t>(threads)));
    if (t != 0 && !begun[static_cast<size_t>(t)]) {
      trace.push_back({t, Did::kStart});
      begun[static_cast<size_t>(t)] = true;
      continue;
    }
    const int lock = static_cast<int>(rng.below(2));
    const auto cell = static_cast<int>(rng.below(10) < 8 ? rng.below(2) : 2);  // the third one is atomic mostly
    const auto value = static_cast<int>(1 + rng.below(static_cast<uint64_t>(values)));
    int& word = memory[static_cast<size_t>(cell)];
    switch (const uint64_t what = rng.below(10)) {
      case 0:
      case 1:
      case 2:
        if (owner[static_cast<size_t>(lock)] == -1) {
          owner[static_cast<size_t>(lock)] = t;
          trace.push_back({t, Did::kAcquire, lock});
        } else if (owner[static_cast<size_t>(lock)] == t) {
          owner[static_cast<size_t>(lock)] = -1;
          trace.push_back({t, Did::kRelease, lock});
        }
        break;
      case 3:
        if (rng.below(4) == 0) trace.push_back({t, Did::kPost, 0});
        break;
      case 4:
      case 5:
      case 6:
        if (cell == 2) word = value;
        trace.push_back({t, cell == 2 ? Did::kAtomicStore : Did::kWrite, cell, word = value});
        break;
      default:
        if (cell == 2 && what == 9) {
          trace.push_back({t, Did::kUpdate, cell, word});
          break;
        }
        trace.push_back({t, cell == 2 && rng.below(4) != 0 ? Did::kAtomicLoad : Did::kRead, cell, word});
    }
  }
  return trace;
}

// As the runtime tells it. Each event has a place of its own: 0x1000 and its number.
inline std::vector<Event> events_of(const Trace& trace) {
  std::vector<Event> events;
  for (size_t i = 0; i < trace.size(); ++i) {
    const Told& told = trace[i];
    Event e;
    e.step = i + 1;
    e.pc = 0x1000 + i;
    e.thread = static_cast<uint32_t>(told.thread) & Event::kMostThreads;
    e.value = static_cast<uint64_t>(told.value);
    constexpr OpKind kKinds[] = {OpKind::kStart, OpKind::kCreate,     OpKind::kJoin,        OpKind::kRead,
                                 OpKind::kWrite, OpKind::kAtomicLoad, OpKind::kAtomicStore, OpKind::kAtomicRmw,
                                 OpKind::kLock,  OpKind::kUnlock,     OpKind::kSemPost};
    e.kind = kKinds[static_cast<size_t>(told.did)];
    if (told.did == Did::kCreate || told.did == Did::kJoin) e.value = static_cast<uint64_t>(told.object);
    if (is_access(told.did)) e.size = 8, e.object = 0x100 + 8 * static_cast<uint64_t>(told.object);
    if (told.did == Did::kAcquire || told.did == Did::kRelease) e.object = 0x200 + static_cast<uint64_t>(told.object);
    if (told.did == Did::kPost) e.object = 0x300;
    events.push_back(e);
  }
  return events;
}

enum class Orders {
  kStrong,          // critical sections in the order of the trace, all earlier ones done
  kSyncPreserving,  // those that are there in the order of the trace; reads from the same write
  kMaximal,         // any order of critical sections; reads of the same value
};

// Tries every next event in every state.
class Reorderings {
 public:
  Reorderings(const Trace& trace, Orders orders) : trace_(trace), orders_(orders) {
    std::map<int, size_t> last;
    for (size_t i = 0; i < trace.size(); ++i) {
      of_thread_[trace[i].thread].push_back(i);
      if (does_read(trace[i].did) && last.contains(trace[i].object)) from_[i] = last[trace[i].object];
      if (does_write(trace[i].did)) last[trace[i].object] = i;
    }
    visit({});
  }

  // Pairs of accesses that are next at the same time somewhere.
  const std::set<PairOfEvents>& races() const { return races_; }

 private:
  struct State {
    std::set<size_t> done = {};
    std::map<int, size_t> last = {};   // write of each variable
    std::map<int, int> owner = {};     // of each lock
    std::map<int, size_t> taken = {};  // by the acquire of the greatest number
    auto key() const { return std::tie(done, last); }
  };

  std::optional<size_t> next(const State& s, int thread) const {
    for (const size_t i : of_thread_.at(thread))
      if (!s.done.contains(i)) return i;
    return std::nullopt;
  }

  bool is_alive(const State& s, size_t i) const {
    if (trace_[i].thread == 0) return true;
    return std::ranges::any_of(
        s.done, [&](size_t d) { return trace_[d].did == Did::kCreate && trace_[d].object == trace_[i].thread; });
  }

  bool keeps_hard_order(const State& s, size_t i) const {
    for (size_t before = 0; before < i; ++before) {
      const bool posts = trace_[before].did == Did::kPost && trace_[i].did == Did::kPost;
      const bool atomics = is_atomic_access(trace_[before].did) && is_atomic_access(trace_[i].did) &&
                           trace_[before].object == trace_[i].object &&
                           (does_write(trace_[before].did) || does_write(trace_[i].did));
      if ((posts || atomics) && !s.done.contains(before)) return false;
    }
    return true;
  }

  bool reads_the_same(const State& s, size_t i) const {
    const auto now = s.last.find(trace_[i].object);
    if (orders_ == Orders::kMaximal) return (now == s.last.end() ? 0 : trace_[now->second].value) == trace_[i].value;
    const auto then = from_.find(i);
    if (then == from_.end()) return now == s.last.end();
    return now != s.last.end() && now->second == then->second;
  }

  bool may_acquire(const State& s, size_t i) const {
    const int lock = trace_[i].object;
    if (const auto owner = s.owner.find(lock); owner != s.owner.end() && owner->second != -1) return false;
    if (orders_ == Orders::kMaximal) return true;
    if (const auto taken = s.taken.find(lock); taken != s.taken.end() && taken->second > i) return false;
    if (orders_ == Orders::kSyncPreserving) return true;
    for (size_t before = 0; before < i; ++before)
      if (trace_[before].did == Did::kAcquire && trace_[before].object == lock && !s.done.contains(before))
        return false;
    return true;
  }

  bool may_happen(const State& s, size_t i) const {
    if (!is_alive(s, i) || !keeps_hard_order(s, i)) return false;
    if (does_read(trace_[i].did) && !reads_the_same(s, i)) return false;
    return trace_[i].did != Did::kAcquire || may_acquire(s, i);
  }

  void note_races(const State& s) {
    std::vector<size_t> at;
    for (const auto& [thread, events] : of_thread_)
      if (const auto i = next(s, thread); i && is_alive(s, *i) && is_access(trace_[*i].did)) at.push_back(*i);
    for (const size_t a : at)
      for (const size_t b : at) {
        const Told &one = trace_[a], &other = trace_[b];
        if (a < b && one.object == other.object && (does_write(one.did) || does_write(other.did)) &&
            !(is_atomic_access(one.did) && is_atomic_access(other.did)))
          races_.insert({a, b});
      }
  }

  void visit(const State& s) {
    if (!seen_.insert({s.done, s.last}).second) return;
    note_races(s);
    for (const auto& [thread, events] : of_thread_) {
      const auto i = next(s, thread);
      if (!i || !may_happen(s, *i)) continue;
      State then = s;
      then.done.insert(*i);
      if (does_write(trace_[*i].did)) then.last[trace_[*i].object] = *i;
      if (trace_[*i].did == Did::kAcquire) then.owner[trace_[*i].object] = thread, then.taken[trace_[*i].object] = *i;
      if (trace_[*i].did == Did::kRelease) then.owner[trace_[*i].object] = -1;
      visit(then);
    }
  }

  const Trace& trace_;
  Orders orders_;
  std::map<int, std::vector<size_t>> of_thread_;
  std::map<size_t, size_t> from_;
  std::set<std::pair<std::set<size_t>, std::map<int, size_t>>> seen_;
  std::set<PairOfEvents> races_;
};

}  // namespace snarl::detect
