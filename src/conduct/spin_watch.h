// Notices that the threads of a run only spin: they yield, time out and fail to get locks, and nothing else happens.
// Pure bookkeeping; the conductor asks it.
//
// Threads that take locks, give them back and try again may spin as well (two threads that back off in lock step), or
// may do work that we don't see. Such a run is called a livelock only when it is to be ended anyway, because its step
// budget is used up. A run that takes no lock at all is called one earlier.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/anew.h"
#include "base/ids.h"
#include "base/storage.h"
#include "schedule/operation.h"

namespace snarl::conduct {

class SpinWatch {
 public:
  // A loop that waits for something real, such as a flag that the last of many threads sets, spins less often. So does
  // a finite loop that only yields. This many steps take less than a second.
  static constexpr uint64_t kEnough = 120'000;
  static constexpr uint64_t kSuspect = 80'000;   // from here on, real time passes, in which something outside may help
  static constexpr uint64_t kAtBudget = 50'000;  // where the run is to be ended anyway
  static constexpr uint64_t kSlice = 500;        // steps between two looks
  static constexpr uint64_t kEach = 100;         // spins of every thread that could run: none may have been starved

  void begin() {
    epoch_ = 1;
    row_ = spins_ = steps_ = looked_ = 0;
  }
  void spawned(ThreadId t) { make_anew(counts_[t]); }

  // `spins`: it was found to wait for memory to change (conduct/spinners.h).
  [[gnu::always_inline]] void stepped(ThreadId t, OpKind did, int result, bool spins = false) {
    if (__builtin_expect(result != 0 || spins || kOftenIdle.has(did), 0)) return consider(t, did, result, spins);
    if (is_quiet(did)) {
      ++steps_;
    } else if (__builtin_expect(kTurning.has(did), 0)) {
      row_ = 0;
      ++steps_;
    } else {
      progress();
    }
  }

  // Something else happened that may lead further: a clock was read, or something came from outside.
  void progress() {
    if (steps_ == 0) return;
    ++epoch_;
    row_ = spins_ = steps_ = 0;
  }

  // This many quiet steps (schedule/operation.h): they neither spin nor lead further.
  void add_quiet_steps(uint64_t steps) { steps_ += steps; }
  // From here on every step counts: the next one may be the one to look at.
  bool is_suspicious() const { return row_ >= kSuspect; }

  // Is it time for a look? Says so once for each slice.
  bool wants_look() {
    if (row_ < kSuspect || row_ / kSlice == looked_) return false;
    looked_ = row_ / kSlice;
    return true;
  }
  uint64_t spins() const { return spins_; }  // since something other than locking happened
  bool has_spun_long() const { return row_ >= kEnough; }
  // Mostly spins, with locks taken and given back between them.
  bool has_turned_long() const { return spins_ >= kAtBudget && spins_ * kMostTurns >= steps_; }
  bool has_spun(ThreadId t) const { return counts_[t].epoch == epoch_ && counts_[t].spins >= kEach; }

 private:
  // Operations that are not progress even if they succeed; and those that, if they succeed, are neither progress nor
  // idle. Quiet steps are neither.
  static constexpr OpKinds kOftenIdle = {OpKind::kYield, OpKind::kSleep, OpKind::kTimeout, OpKind::kPause,
                                         OpKind::kWait};
  static constexpr OpKinds kTurning = {OpKind::kLock,        OpKind::kTryLock,   OpKind::kReadLock,
                                       OpKind::kTryReadLock, OpKind::kWriteLock, OpKind::kTryWriteLock,
                                       OpKind::kUnlock,      OpKind::kRwUnlock};

  enum class Effect { kSpins, kPauses, kTurns, kNothing, kProgress };
  struct Count {
    uint64_t epoch = 0;
    uint64_t spins = 0;
  };
  static constexpr uint64_t kMostTurns = 16;  // steps for each spin: a few locks, with the points after them

  [[gnu::noinline]] void consider(ThreadId t, OpKind did, int result, bool spins) {
    switch (spins ? Effect::kSpins : effect_of(did, result)) {
      case Effect::kSpins: ++row_, ++spins_, ++steps_; return count(t);
      case Effect::kTurns:
        row_ = 0;
        ++steps_;
        return;
      case Effect::kProgress: return progress();
      case Effect::kPauses: ++spins_, ++steps_; return count(t);
      case Effect::kNothing: ++steps_;
    }
  }

  static Effect effect_of(OpKind did, int result) {
    if (kTurning.has(did)) return result == 0 || is_unlock(did) ? Effect::kTurns : Effect::kSpins;
    switch (did) {
      case OpKind::kYield:
      case OpKind::kSleep:
      case OpKind::kTimeout: return Effect::kSpins;
      case OpKind::kPause:
        return Effect::kPauses;  // perhaps for a plain store, which is not a step: counts only at the budget
      case OpKind::kSemTryWait: return result == 0 ? Effect::kProgress : Effect::kSpins;
      case OpKind::kSemWait: return result == ETIMEDOUT ? Effect::kSpins : Effect::kProgress;
      case OpKind::kReacquire: return result == ETIMEDOUT ? Effect::kSpins : Effect::kProgress;
      case OpKind::kWait: return Effect::kNothing;
      default: return is_quiet(did) ? Effect::kNothing : Effect::kProgress;
    }
  }

  static constexpr bool is_unlock(OpKind did) { return did == OpKind::kUnlock || did == OpKind::kRwUnlock; }

  void count(ThreadId t) {
    Count& count = counts_[is_timer(t) ? thread_of_timer(t) : t];
    if (count.epoch != epoch_) count = {epoch_, 0};
    ++count.spins;
  }

  uint64_t epoch_ = 1;   // grows with every progress
  uint64_t row_ = 0;     // spins since the last progress or lock
  uint64_t spins_ = 0;   // since the last progress
  uint64_t steps_ = 0;   // since the last progress
  uint64_t looked_ = 0;  // the slice of the last look
  Storage<Count, kMaxThreads> counts_;
};

}  // namespace snarl::conduct
