// The rules of a read-write lock. Returns are errno values.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/ids.h"

namespace snarl {

struct RwLock {
  ThreadId writer = kNoThread;
  uint32_t readers = 0;
  uint64_t pc = 0;  // where the writer, or the last reader, took it

  bool is_free() const { return writer == kNoThread && readers == 0; }

  // A writer that locks again gets an error instead of waiting for itself, as glibc does it.
  bool read_lock_returns(ThreadId t, bool held_back) const { return writer == t || (writer == kNoThread && !held_back); }
  bool write_lock_returns(ThreadId t) const { return writer == t || is_free(); }

  int read_lock(ThreadId t, uint64_t at) {
    if (writer == t) return EDEADLK;
    ++readers;
    pc = at;
    return 0;
  }
  int write_lock(ThreadId t, uint64_t at) {
    if (writer == t) return EDEADLK;
    writer = t;
    pc = at;
    return 0;
  }
  int try_read_lock(ThreadId t, uint64_t at, bool held_back) {
    return writer != kNoThread || held_back ? EBUSY : read_lock(t, at);
  }
  int try_write_lock(ThreadId t, uint64_t at) { return is_free() ? write_lock(t, at) : EBUSY; }

  void unlock() {
    if (writer != kNoThread)
      writer = kNoThread;
    else if (readers > 0)
      --readers;
  }
};

}  // namespace snarl
