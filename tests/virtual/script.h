// Programs as data, for tests that need two readings of the same program: one plays it in a virtual world
// (script_player.h), the other works out by itself which schedules it has (reference.h).
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/operation.h"

namespace snarl {

// One operation, or a loop around it, with what its thread does before it arrives at the next.
struct Line {
  enum class Repeats : uint8_t {
    kNot,
    kUntilFlag,  // while the flag is not set, at most `times`; looks before each round
    kUntilOk,    // until the result is 0, at most `times`
  };
  static constexpr int kAlways = -1, kNoFlag = -1;
  static constexpr int kNothing = 9;  // an object that nobody uses

  OpKind kind = OpKind::kAfter;
  int object = 0;  // mutex, condition, ...; of operations on threads: the other one's script
  int second = 0;  // wait: the mutex; barrier: how many
  bool timed = false;
  uint64_t span = 0;  // of virtual time, in nanoseconds
  Repeats repeats = Repeats::kNot;
  int times = 1;
  int flag = 0;         // kUntilFlag
  int sets = kNoFlag;   // a plain store, after the line
  int if_ok = kAlways;  // only if the last result of that line was 0
};

// Script 0 is main's; another is a thread's once a line of kind create names it. Mutexes 0 to 3 are normal, recursive,
// error-checking, normal; conditions are 10 and 11, the read-write lock 20, semaphores 30 and 31, the barrier 40,
// futexes 50 and 51, the once control 60, whose routine is one operation. A futex never changes its value.
struct Script {
  std::vector<std::vector<Line>> threads;
};

constexpr MutexKind mutex_kind(int mutex) {
  return mutex == 1 ? MutexKind::kRecursive : mutex == 2 ? MutexKind::kErrorCheck : MutexKind::kNormal;
}

// Small programs by chance, the same for the same seed. `rounds`: of a retry loop that is in it; 0: there is none.
Script random_script(uint64_t seed, int rounds);

}  // namespace snarl
