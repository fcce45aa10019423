// The rules of a mutex, by kind. Returns are errno values, as pthread's are.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/ids.h"
#include "schedule/operation.h"

namespace snarl {

struct Mutex {
  ThreadId owner = kNoThread;
  uint32_t depth = 0;  // times the owner has locked it; 0 if and only if nobody owns it
  uint64_t pc = 0;     // where the owner took it

  bool is_free() const { return owner == kNoThread; }

  // Can a blocking lock by `t` return now? A normal mutex that `t` holds blocks for good.
  bool lock_returns(MutexKind kind, ThreadId t) const {
    return is_free() || (owner == t && kind != MutexKind::kNormal);
  }

  int lock(MutexKind kind, ThreadId t, uint64_t at) {
    if (is_free()) return take(t, at);
    if (kind == MutexKind::kErrorCheck) return EDEADLK;
    ++depth;  // recursive: lock_returns() let nothing else through
    return 0;
  }

  int trylock(MutexKind kind, ThreadId t, uint64_t at) {
    if (is_free()) return take(t, at);
    if (owner != t || kind != MutexKind::kRecursive) return EBUSY;
    ++depth;
    return 0;
  }

  // A normal mutex does not check who unlocks it, as glibc's does not.
  int unlock(MutexKind kind, ThreadId t) {
    if (kind != MutexKind::kNormal && owner != t) return EPERM;
    if (depth > 1 && kind == MutexKind::kRecursive)
      --depth;
    else
      release();
    return 0;
  }

  void release() { *this = Mutex(); }

 private:
  int take(ThreadId t, uint64_t at) {
    owner = t;
    depth = 1;
    pc = at;
    return 0;
  }
};

}  // namespace snarl
