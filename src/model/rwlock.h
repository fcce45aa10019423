// The rules of a read-write lock. Results are errno values.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/ids.h"

namespace snarl::model {

// The threads that hold a read-write lock, for reports and misuse. Only the first few are known by name.
struct RwHolders {
  struct Holder {
    ThreadId thread;
    uint16_t times;
    uint32_t ordinal;  // right even when that thread has ended
    uint64_t pc;       // where it last took the lock
  };
  static constexpr uint8_t kMost = 4;  // more readers than these at once are rarely of interest

  RwHolders() {}        // NOLINT: leaves `known` alone on purpose
  Holder known[kMost];  // [0, count) are valid
  uint8_t count = 0;
  bool more = false;  // there were others: a thread that is not listed may hold it as well

  const Holder* find(ThreadId t) const {
    for (uint8_t i = 0; i < count; ++i)
      if (known[i].thread == t) return &known[i];
    return nullptr;
  }

  void add(ThreadId t, uint32_t ordinal, uint64_t at) {
    if (auto* holder = const_cast<Holder*>(find(t))) {
      ++holder->times;
      holder->pc = at;
    } else if (count < kMost) {
      known[count++] = {t, 1, ordinal, at};
    } else {
      more = true;
    }
  }

  // A thread that does not hold the lock may unlock it. Then the first holder is taken to have lost it.
  void remove(ThreadId t) {
    const Holder* found = find(t);
    if (found == nullptr && !more && count > 0) found = &known[0];
    if (found == nullptr || --const_cast<Holder*>(found)->times > 0) return;
    known[found - known] = known[--count];
  }
};

struct RwLock {
  ThreadId writer = kNoThread;
  uint32_t readers = 0;
  uint64_t pc = 0;  // where the writer, or the last reader, took it
  RwHolders holders;

  bool is_free() const { return writer == kNoThread && readers == 0; }
  bool has_holders() const { return writer != kNoThread || holders.count != 0; }

  // A writer that locks again gets an error instead of waiting for itself, as in glibc.
  bool read_lock_returns(ThreadId t, bool held_back) const {
    return writer == t || (writer == kNoThread && !held_back);
  }
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

  // An unlock by another thread does not end a writer's lock, as in glibc.
  void unlock(ThreadId t) {
    if (writer != kNoThread && writer != t) return;
    if (writer != kNoThread)
      writer = kNoThread;
    else if (readers > 0)
      --readers;
    holders.remove(t);
    if (is_free()) holders = RwHolders();
  }

  // The thread has ended; its slot may soon name another.
  void orphan(ThreadId t) {
    if (writer == t) writer = kGoneThread;
    for (uint8_t i = 0; i < holders.count; ++i)
      if (holders.known[i].thread == t) holders.known[i].thread = kGoneThread;
  }
};

}  // namespace snarl::model
