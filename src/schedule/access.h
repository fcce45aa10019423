// Which operations access the same thing, for policies that reorder only what matters.
#pragma once

#include "schedule/operation.h"

namespace snarl {

enum class Access : uint8_t { kNone, kRead, kWrite };

// What the operation does to its `object` (and a condition wait to its `second` as well).
// Taking a lock is a write to it, taking it for reading a read. Giving it back is none: who
// comes next is decided where it is taken. A point after, a yield or a thread's start and end
// access nothing.
constexpr Access access_of(const Op& op) {
  switch (op.kind) {
    case OpKind::kReadLock:
    case OpKind::kTryReadLock:
    case OpKind::kRead:
    case OpKind::kAtomicLoad: return Access::kRead;
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kMutexInit:
    case OpKind::kMutexDestroy:
    case OpKind::kWait:
    case OpKind::kReacquire:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
    case OpKind::kCondInit:
    case OpKind::kCondDestroy:
    case OpKind::kOnce:
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock:
    case OpKind::kRwInit:
    case OpKind::kRwDestroy:
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kSemInit:
    case OpKind::kSemDestroy:
    case OpKind::kBarrierWait:
    case OpKind::kBarrierPass:
    case OpKind::kBarrierInit:
    case OpKind::kBarrierDestroy:
    case OpKind::kFutexWait:
    case OpKind::kFutexWoken:
    case OpKind::kFutexWake:
    case OpKind::kWrite:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw: return Access::kWrite;
    default: return Access::kNone;
  }
}

// The one object that an access is counted for, or 0.
constexpr uint64_t accessed_object(const Op& op) {
  if (access_of(op) == Access::kNone) return 0;
  return op.kind == OpKind::kReacquire ? op.second : op.object;
}

// The object that an event is about, also where it is given back, and at the point after; 0: none.
constexpr uint64_t concerned_object(const Op& op) {
  const OpKind kind = op.kind == OpKind::kAfter ? op.after : op.kind;
  switch (kind) {
    case OpKind::kStart:
    case OpKind::kExit:
    case OpKind::kCreate:
    case OpKind::kJoin:
    case OpKind::kTryJoin:
    case OpKind::kDetach:
    case OpKind::kCancel:
    case OpKind::kKill:
    case OpKind::kIo:
    case OpKind::kHandler:
    case OpKind::kFork:
    case OpKind::kExec:
    case OpKind::kEndProcess:
    case OpKind::kFence:
    case OpKind::kPause:
    case OpKind::kFunction:
    case OpKind::kUser:
    case OpKind::kYield:
    case OpKind::kSleep: return 0;  // about a thread, a descriptor, a signal, a function or nothing
    case OpKind::kReacquire: return op.second != 0 ? op.second : op.object;
    default: return op.object;
  }
}

// Does `op` take a lock that keeps others out?
constexpr bool is_acquisition(const Op& op) {
  return op.kind == OpKind::kLock || op.kind == OpKind::kTryLock || op.kind == OpKind::kReadLock ||
         op.kind == OpKind::kTryReadLock || op.kind == OpKind::kWriteLock || op.kind == OpKind::kTryWriteLock;
}

// The lock that `op` gives back, or 0.
constexpr uint64_t released_by(const Op& op) {
  if (op.kind == OpKind::kUnlock || op.kind == OpKind::kRwUnlock) return op.object;
  return op.kind == OpKind::kWait ? op.second : 0;
}

constexpr bool touches(const Op& op, uint64_t object) {
  return object != 0 && (op.object == object || op.second == object);
}

// Does the order of the two matter: the same object, and at least one of them writes?
constexpr bool conflict(const Op& a, const Op& b) {
  const Access x = access_of(a), y = access_of(b);
  if (x == Access::kNone || y == Access::kNone) return false;
  if (x == Access::kRead && y == Access::kRead) return false;
  return touches(b, a.object) || touches(b, a.second);
}

}  // namespace snarl
