// Finds threads that wait for memory to change by reading it again and again, and holds them back until it does.
//
// Such a loop would never end if its thread had the highest priority. A thread spins if, for a while, it only reads
// what it has read before, at the same places, with the same values. It then makes way as if it had yielded, and is
// held back while others can run, until one of them writes what it reads, or for kPatience steps: the write may be one
// that we don't see.
//
// Only the steps of a few windows are looked at, so that the steps between can be taken without a question
// (free_steps). Windows are counted from the thread's last operation that is not quiet. In late windows writes don't
// count either, because a loop may count its rounds. Pure bookkeeping; the conductor asks it.
#pragma once

#include <cstdint>

#include "base/anew.h"
#include "base/ids.h"
#include "base/storage.h"
#include "base/thread_set.h"
#include "schedule/operation.h"

namespace snarl::conduct {

class Spinners {
 public:
  static constexpr uint32_t kFirstWindow = 1024;  // steps before it: retry loops of a few hundred rounds are left alone
  static constexpr uint32_t kNextFirst = 16;      // the same for a thread that was found to spin before
  static constexpr uint32_t kPlaces = 16;         // that a loop may read at in a round
  static constexpr uint32_t kWindow = 32;         // its length: all places once, then kEnough of them again
  static constexpr uint32_t kLate = 4096;         // windows are 4 times as far each time up to this, then twice,
  static constexpr uint32_t kFarthest = 16384;    // up to this from one to the next: a step in one costs like a hundred
  static constexpr uint32_t kEnough = 8;          // fruitless steps in a row
  static constexpr Step kPatience = 200;

  void begin() {
    spinning_.clear();
    held_.clear();
    rounds_ = 0;
  }
  void spawned(ThreadId t) {
    make_anew(states_[t]);
    spinning_.remove(t);
    held_.remove(t);
  }

  enum class Found {
    kNothing,
    kSpins,   // it makes way
    kChange,  // it did spin, and continues: what it waited for has come
  };

  // `t` takes a step, number `now` of the run.
  Found stepped(ThreadId t, const Op& op, Step now) {
    if (__builtin_expect(!is_quiet(op.kind), 1)) return stepped_aloud(t);
    State& state = states_[t];
    if (__builtin_expect(!held_.empty() || !spinning_.empty() || state.row >= state.window, 0))
      return consider(t, state, op, now);
    ++state.row;
    return Found::kNothing;
  }
  // The same, for a step that is not quiet.
  [[gnu::always_inline]] Found stepped_aloud(ThreadId t) {
    if (__builtin_expect(!spinning_.empty(), 0)) return stop(t, states_[t]);
    nobody_spins_at(t);
    return Found::kNothing;
  }
  // The same, if it is known that !any().
  [[gnu::always_inline]] void nobody_spins_at(ThreadId t) {
    State& state = states_[t];
    if (__builtin_expect(state.row > kNextFirst, 0))
      stop(t, state);
    else
      state.row = 0;  // it has not been looked at
  }

  // The number of quiet steps of `t` that need no call of stepped(): skipped() is told of them.
  Step free_steps(ThreadId t) const {
    const State& state = states_[t];
    if (state.row >= state.window || (__builtin_expect(!spinning_.empty(), 0) && spinning_.has(t))) return 0;
    return state.window - state.row;
  }
  void skipped(ThreadId t, Step steps) { states_[t].row += static_cast<uint32_t>(steps); }

  // The threads to be held back now, as long as others can run.
  const ThreadSet& held(Step now) {
    held_.for_each([&](ThreadId t) {
      if (now >= states_[t].until) held_.remove(t);
    });
    return held_;
  }
  // Steps that were rounds of a loop which was found to spin.
  Step rounds() const { return rounds_; }
  bool any() const { return !spinning_.empty(); }
  bool any_held() const { return !held_.empty(); }

 private:
  struct Seen {
    uint64_t pc = 0, address = 0, value = 0;
  };
  struct State {
    uint32_t row = 0;                // quiet steps since the last other one
    uint32_t first = kFirstWindow;   // where the first window begins
    uint32_t window = kFirstWindow;  // where the next window begins, or the present one began
    uint32_t idle = 0;               // fruitless steps in a row
    uint32_t counted = 0;            // of `row`: those that rounds() knows
    uint32_t places = 0;             // seen in this window
    uint32_t known = 0;              // of `seen`: those that were filled
    Step until = 0;                  // held: not longer than this
    Seen seen[kPlaces];
  };
  [[gnu::noinline]] Found consider(ThreadId t, State& state, const Op& op, Step now) {
    if (!held_.empty() && is_memory_write(op.kind)) release(t, op.object);
    held_.remove(t);
    const uint32_t row = state.row++;
    return spinning_.has(t) || in_window(state, row) ? look(t, state, op, now) : Found::kNothing;
  }

  enum class Worth { kNone, kFruitless, kFruitful };

  [[gnu::noinline]] Found stop(ThreadId t, State& state) {
    held_.remove(t);
    const Found found = spinning_.has(t) ? Found::kChange : Found::kNothing;
    spinning_.remove(t);
    if (state.row != 0) start_anew(state);
    return found;
  }

  // Often: what is in `seen` stays.
  static void start_anew(State& state) {
    state.row = state.idle = state.counted = state.places = state.known = 0;
    state.window = state.first;
    state.until = 0;
  }

  // When a window is over, the next one is set.
  static bool in_window(State& state, uint32_t row) {
    if (row < state.window) return false;
    if (row < state.window + kWindow) return true;
    state.window += state.window < kLate ? state.window * 3 : state.window < kFarthest ? state.window : kFarthest;
    state.idle = state.places = 0;
    return false;
  }

  [[gnu::noinline]] Found look(ThreadId t, State& state, const Op& op, Step now) {
    switch (worth_of(state, op)) {
      case Worth::kFruitful: state.idle = 0; return spinning_.has(t) ? stop(t, state) : Found::kNothing;
      case Worth::kNone: return Found::kNothing;
      case Worth::kFruitless: break;
    }
    if (++state.idle < kEnough) return Found::kNothing;
    state.first = kNextFirst;
    spinning_.add(t);
    held_.add(t);
    state.until = now + kPatience;
    rounds_ += state.row - state.counted;
    state.counted = state.row;
    return Found::kSpins;
  }

  Worth worth_of(State& state, const Op& op) {
    const bool late = state.window >= kLate;
    if (!is_memory_access(op.kind)) return Worth::kNone;
    if (op.kind == OpKind::kWrite || op.kind == OpKind::kAtomicStore) return late ? Worth::kNone : Worth::kFruitful;
    for (uint32_t i = 0; i < state.known; ++i) {
      Seen& seen = state.seen[i];
      if (seen.pc != op.pc || seen.address != op.object) continue;
      const bool same = seen.value == op.seen;
      seen.value = op.seen;
      return same ? Worth::kFruitless : Worth::kFruitful;
    }
    const uint32_t next = state.places++ % kPlaces;
    if (next >= state.known) state.known = next + 1;
    state.seen[next] = {op.pc, op.object, op.seen};
    return late ? Worth::kNone : Worth::kFruitful;
  }

  // A thread writes there: the threads that wait for it may run.
  [[gnu::noinline]] void release(ThreadId by, uint64_t address) {
    held_.for_each([&](ThreadId t) {
      if (t == by) return;
      const State& state = states_[t];
      for (uint32_t i = 0; i < state.known; ++i)
        if (state.seen[i].address / 8 == address / 8) return held_.remove(t);
    });
  }

  ThreadSet spinning_;
  ThreadSet held_;  // those of them that wait for a write
  Step rounds_ = 0;
  Storage<State, kMaxThreads> states_;
};

}  // namespace snarl::conduct
