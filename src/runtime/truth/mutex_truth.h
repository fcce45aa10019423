// What the program's own mutex says of itself.
#pragma once

#include <pthread.h>

#include "runtime/state/state.h"
#include "runtime/state/thread.h"
#include "schedule/operation.h"

namespace snarl::runtime {

namespace mutex_bits {

// Bits of __kind. The layout is part of glibc's ABI: static initialisers compile it into programs.
constexpr int kTypeMask = 3;
constexpr int kRobustBit = 16;
constexpr int kInheritBit = 32;  // priority inheritance
constexpr int kProtectBit = 64;  // priority ceiling
constexpr int kSharedBit = 128;

// What of __lock says that somebody holds it. A robust or inheriting one holds the owner's tid, and marks
// above it; one with a ceiling has that in its upper bits.
constexpr int kTidMask = 0x3fffffff;
constexpr int kBelowCeiling = 0x7ffff;

inline bool is_locked(const pthread_mutex_t* mutex) {
  const int kind = mutex->__data.__kind;
  return (mutex->__data.__lock & (__builtin_expect((kind & kProtectBit) != 0, 0) ? kBelowCeiling : kTidMask)) != 0;
}

}  // namespace mutex_bits

inline MutexKind kind_of(const pthread_mutex_t* mutex) {
  switch (mutex->__data.__kind & mutex_bits::kTypeMask) {
    case PTHREAD_MUTEX_RECURSIVE_NP: return MutexKind::kRecursive;
    case PTHREAD_MUTEX_ERRORCHECK_NP: return MutexKind::kErrorCheck;
    default: return MutexKind::kNormal;
  }
}

uint8_t unusual_traits(const pthread_mutex_t* mutex);

// Op::traits
inline uint8_t traits_of(const pthread_mutex_t* mutex) {
  constexpr int kUnusual = mutex_bits::kRobustBit | mutex_bits::kInheritBit | mutex_bits::kProtectBit;
  return __builtin_expect((mutex->__data.__kind & kUnusual) == 0, 1) ? 0 : unusual_traits(mutex);
}

[[gnu::cold]] void correct_model(const pthread_mutex_t* mutex, bool known);

// Memory that held a locked mutex may have become another one, and a mutex may have been
// locked before we had control: brings the model in line with the object.
inline void reconcile(const pthread_mutex_t* mutex) {
  const bool known = engine::conductor().model().owner(reinterpret_cast<uint64_t>(mutex)) != kNoThread;
  if (__builtin_expect(mutex_bits::is_locked(mutex) != known, 0)) correct_model(mutex, known);
}

// On fibers, where one OS thread runs them all, an ordinary mutex is taken and given back as libc does it, but without
// locked instructions, of which a short test would spend a tenth of its time in. False: libc is to do it.
extern bool writes_mutexes;
inline bool take_ordinary(pthread_mutex_t* mutex, const Thread& self) {
  auto& data = mutex->__data;
  const bool ordinary = data.__kind == PTHREAD_MUTEX_TIMED_NP;
  if (__builtin_expect(!writes_mutexes, 0) || __builtin_expect(!ordinary, 0) || __builtin_expect(data.__lock != 0, 0))
    return false;
  data.__lock = 1;
  data.__owner = self.tid;
  ++data.__nusers;
  return true;
}
inline bool give_back_ordinary(pthread_mutex_t* mutex, const Thread& self) {
  auto& data = mutex->__data;
  const bool ordinary = data.__kind == PTHREAD_MUTEX_TIMED_NP;
  if (__builtin_expect(!writes_mutexes, 0) || __builtin_expect(!ordinary, 0) || __builtin_expect(data.__lock != 1, 0))
    return false;
  if (__builtin_expect(data.__owner != self.tid, 0)) return false;
  data.__owner = 0;
  --data.__nusers;
  data.__lock = 0;
  return true;
}
// Asked once in a process, before copies of it are made: the answer takes longer than a short run.
void look_who_locks_mutexes();
// The run has begun, on fibers or not.
void decide_who_writes_mutexes(bool on_fibers);

// The kernel, which hands on a priority-inheriting mutex whose owner died, writes the carrier's tid into it.
void put_fiber_into(pthread_mutex_t* mutex);

// The program has made a process that may hold or wait for what is process-shared.
void note_other_process();
// Is an object with this attribute to be left to libc? The model can't know other processes.
bool is_shared(bool attribute);

Thread* at_unusual_mutex(const pthread_mutex_t* mutex, OpKind kind, uint64_t pc);

// As at_point(), but null for a mutex that other processes share. One that
// was destroyed is left to libc as well, once that was written down.
inline Thread* at_mutex_point(const pthread_mutex_t* mutex, OpKind kind, uint64_t pc) {
  Thread* self = current;
  if (__builtin_expect(self == nullptr || self->inside != 0, 0)) return at_unusual_mutex(mutex, kind, pc);
  if (__builtin_expect((mutex->__data.__kind & mutex_bits::kSharedBit) != 0, 0))
    return at_unusual_mutex(mutex, kind, pc);
  return self;
}

}  // namespace snarl::runtime
