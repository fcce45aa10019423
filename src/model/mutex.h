// The rules of a mutex, by kind. Results are errno values, as in pthread.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/ids.h"
#include "schedule/operation.h"

namespace snarl::model {

struct Mutex {
  // The state of a robust mutex. Every other mutex stays sound.
  enum class Health : uint8_t {
    kSound,
    kOwnerEnded,    // no thread holds it, and the next owner is told
    kInconsistent,  // the owner was told, and has not made it consistent
    kLost,          // it was unlocked in that state: it can't be locked any more
  };

  ThreadId owner = kNoThread;
  uint32_t depth = 0;  // times the owner has locked it; 0 if and only if nobody owns it
  uint64_t pc = 0;     // where the owner took it
  bool robust = false;
  Health health = Health::kSound;

  bool is_free() const { return owner == kNoThread; }
  bool is_idle() const { return is_free() && health == Health::kSound; }

  // Can a blocking lock by `t` return now? A normal mutex that `t` holds blocks for good.
  bool lock_returns(MutexKind kind, ThreadId t) const {
    return is_free() || (owner == t && kind != MutexKind::kNormal);
  }

  int lock(MutexKind kind, ThreadId t, uint64_t at, uint8_t traits = 0) {
    if (is_free()) return take(t, at, traits);
    if (kind == MutexKind::kErrorCheck) return EDEADLK;
    ++depth;  // recursive: lock_returns() excludes all other kinds
    return 0;
  }

  // If glibc looks at the owner anyway, an error-checking mutex says more than "busy".
  int trylock(MutexKind kind, ThreadId t, uint64_t at, uint8_t traits = 0) {
    if (is_free()) return take(t, at, traits);
    if (owner == t && kind == MutexKind::kErrorCheck && (traits & kChecksOwner) != 0) return EDEADLK;
    if (owner != t || kind != MutexKind::kRecursive) return EBUSY;
    ++depth;
    return 0;
  }

  // A normal mutex does not check which thread unlocks it, as glibc's does not, unless it is robust.
  int unlock(MutexKind kind, ThreadId t, uint8_t traits = 0) {
    if ((kind != MutexKind::kNormal || (traits & kChecksOwner) != 0) && owner != t) return EPERM;
    const bool inconsistent = health == Health::kInconsistent;
    if (depth > 1 && kind == MutexKind::kRecursive) {
      --depth;
      return inconsistent ? ENOTRECOVERABLE : 0;  // one level less nevertheless
    }
    release(inconsistent ? Health::kLost : Health::kSound);
    return 0;
  }

  int make_consistent() {
    if (health != Health::kInconsistent) return EINVAL;
    health = Health::kSound;
    return 0;
  }

  // Its owner has ended, and its slot may soon name another thread.
  void owner_ended() {
    if (robust)
      release(Health::kOwnerEnded);
    else
      owner = kGoneThread;
  }

  void release(Health after = Health::kSound) {
    *this = Mutex();
    health = after;
  }

 private:
  int take(ThreadId t, uint64_t at, uint8_t traits) {
    if (health == Health::kLost) return ENOTRECOVERABLE;
    owner = t;
    depth = 1;
    pc = at;
    robust = (traits & kRobust) != 0;
    if (health == Health::kSound) return 0;
    health = Health::kInconsistent;
    return EOWNERDEAD;
  }
};

}  // namespace snarl::model
