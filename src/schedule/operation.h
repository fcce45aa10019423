// What a thread is about to do at a schedule point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "base/ids.h"
#include "schedule/memory_order.h"

namespace snarl {

// The order is part of the wire and of the schedule format: append only.
enum class OpKind : uint8_t {
  kNone = 0,
  kStart,  // a thread's first step; carries no operation
  kExit,   // a thread's last step, after its destructors
  kCreate,
  kJoin,
  kDetach,
  kLock,
  kTryLock,
  kUnlock,
  kMutexInit,
  kMutexDestroy,
  kWait,       // condition wait, first half: release the mutex and enqueue
  kReacquire,  // condition wait, second half: woken, and the mutex is free
  kSignal,
  kBroadcast,
  kCondInit,
  kCondDestroy,
  kOnce,
  kYield,
  kAfter,       // the point after an operation that enables others; does nothing itself
  kEndProcess,  // exit, _exit, quick_exit, return from main
  kTimeout,     // a timer's only step: its thread's timed wait is over
  kSleep,       // enabled when its deadline has come
  kReadLock,
  kTryReadLock,
  kWriteLock,
  kTryWriteLock,
  kRwUnlock,
  kRwInit,
  kRwDestroy,
  kSemWait,
  kSemTryWait,
  kSemPost,
  kSemInit,
  kSemDestroy,
  kBarrierWait,  // first half: counted
  kBarrierPass,  // second half: the round is complete
  kBarrierInit,
  kBarrierDestroy,
  kFutexWait,   // first half: the value is compared, then the thread enqueued
  kFutexWoken,  // second half
  kFutexWake,
  kIo,          // a call that the kernel may let wait: enabled when it won't
  kCancel,      // asks a thread to end at its next cancellation point
  kTestCancel,  // a cancellation point and nothing else
  kTryJoin,
  kConsistent,    // a robust mutex whose owner ended is made whole again
  kFutexRequeue,  // wakes some, and lets others wait at `second` from now on
  kKill,          // sends a signal to a thread of the program
  kHandler,       // a signal's step: its handler runs before the operation that the thread had arrived at
  kFork,          // makes a child process: fork, posix_spawn, system, popen
  kExec,          // becomes another program
  // Points that can't block and change nothing in the model: `object` is the address, `value` the size.
  kRead,  // of plain memory
  kWrite,
  kAtomicLoad,
  kAtomicStore,
  kAtomicRmw,  // exchange, compare-exchange, fetch_add, ...: reads and writes in one
  kFence,
  kPause,     // the processor's hint that this is a spin loop
  kFunction,  // a function's entry; `object` is its caller's return address
  kUser,      // snarl_point(name); `object` is the address of the name
  kFree,      // no point: memory was freed in which the object at `object` lies
  kCount,
};

// Lower-case name as it stands in schedule files and reports: "lock", "reacquire", ...
const char* name_of(OpKind kind);

// The kind of that name, or kNone.
OpKind op_kind_named(const char* name);

// A set of kinds: asked at every point, so it is two words, which constants of the code can be.
class OpKinds {
 public:
  static constexpr unsigned kRoom = 128;

  constexpr OpKinds(std::initializer_list<OpKind> kinds) {
    for (const OpKind kind : kinds) (is_low(kind) ? low_ : high_) |= bit(kind);
  }
  constexpr OpKinds operator|(const OpKinds& other) const {
    OpKinds both = *this;
    both.low_ |= other.low_;
    both.high_ |= other.high_;
    return both;
  }
  constexpr bool has(OpKind kind) const { return ((is_low(kind) ? low_ : high_) & bit(kind)) != 0; }

 private:
  static constexpr bool is_low(OpKind kind) { return static_cast<unsigned>(kind) < 64; }
  static constexpr uint64_t bit(OpKind kind) { return uint64_t{1} << (static_cast<unsigned>(kind) & 63); }

  static_assert(static_cast<unsigned>(OpKind::kCount) <= kRoom);
  uint64_t low_ = 0, high_ = 0;
};

// Operations that enable others are followed by a point of their own, kAfter: otherwise
// the lines that follow them could never be overtaken (docs/rules.md, rule 4).
constexpr bool has_point_after(OpKind kind) {
  constexpr OpKinds kThose = {OpKind::kCreate,       OpKind::kUnlock,  OpKind::kSignal,    OpKind::kBroadcast,
                              OpKind::kRwUnlock,     OpKind::kSemPost, OpKind::kFutexWake, OpKind::kCancel,
                              OpKind::kFutexRequeue, OpKind::kKill,    OpKind::kAtomicRmw};
  return kThose.has(kind);
}

constexpr bool is_memory_read(OpKind kind) {
  constexpr OpKinds kThose = {OpKind::kRead, OpKind::kAtomicLoad};
  return kThose.has(kind);
}
constexpr bool is_memory_write(OpKind kind) {
  constexpr OpKinds kThose = {OpKind::kWrite, OpKind::kAtomicStore, OpKind::kAtomicRmw};
  return kThose.has(kind);
}
constexpr bool is_memory_access(OpKind kind) { return is_memory_read(kind) || is_memory_write(kind); }

// Says that its thread can't go on by itself: the others come first.
constexpr bool is_yield(OpKind kind) {
  constexpr OpKinds kThose = {OpKind::kYield, OpKind::kPause};
  return kThose.has(kind);
}

// Can neither block its thread nor enable another: skip the policy while its last answer holds
// (Conductor::allowance).
constexpr OpKinds kQuietKinds = {OpKind::kAfter,      OpKind::kRead,        OpKind::kWrite,
                                 OpKind::kAtomicLoad, OpKind::kAtomicStore, OpKind::kAtomicRmw,
                                 OpKind::kFence,      OpKind::kFunction,    OpKind::kUser};
constexpr bool is_quiet(OpKind kind) { return kQuietKinds.has(kind); }

// Neither waits for anything nor changes anything in the model.
constexpr bool has_no_effect(OpKind kind) {
  constexpr OpKinds kThose =
      kQuietKinds | OpKinds{OpKind::kStart, OpKind::kCreate, OpKind::kYield, OpKind::kPause, OpKind::kEndProcess};
  return kThose.has(kind);
}

// What a signal handler that runs while a thread waits does to the wait.
enum class Interrupts : uint8_t {
  kNever = 0,      // nothing: the thread goes on waiting
  kUnlessRestart,  // ends it with EINTR, unless the handler has SA_RESTART
  kAlways,         // ends it with EINTR
};

enum class MutexKind : uint8_t { kNormal = 0, kRecursive, kErrorCheck };

// Bits of Op::traits.
constexpr uint8_t kCancellable = 1;  // the thread may be cancelled instead
constexpr uint8_t kRobust = 2;       // mutex: the next owner is told if this one ends without unlocking
constexpr uint8_t kChecksOwner = 4;  // mutex: even a normal one is unlocked by its owner only (robust, PI)
// What the program's object behind a lock operation is: all of these are mutexes to the model.
// kOwn: a lock of the program's own, which only the program can look into.
enum class LockShape : uint8_t { kMutex = 0, kSpin, kStream, kOwn };

// The kind of object that an operation works on.
enum class ObjectKind : uint8_t { kNone = 0, kMutex, kCondition, kRwlock, kSemaphore, kBarrier, kFutex, kOnce, kCount };

// "mutex", "condition", ...
const char* name_of(ObjectKind kind);
ObjectKind object_of(OpKind kind);

// The pending operation of a thread. `object` and `second` are addresses or, for
// operations on threads, slots: equal means the same thing, nothing else is defined
// (addresses differ between processes), so a policy may compare but never order them.
struct Op {
  OpKind kind = OpKind::kNone;
  OpKind after = OpKind::kNone;                // kAfter: what was just performed
  MutexKind mutex = MutexKind::kNormal;        // lock forms, wait, reacquire
  bool timed : 1 = false;                      // `deadline` counts
  bool prefers_writers : 1 = false;            // read-write locks: a waiting writer comes first
  LockShape shape : 2 = LockShape::kMutex;     // lock forms
  MemoryOrder order : 3 = MemoryOrder::kNone;  // atomic operations and fences
  uint8_t unused : 1 = 0;                      // named, so that the eight bytes are written as one
  Interrupts interrupts = Interrupts::kNever;
  uint8_t traits = 0;           // kCancellable, ...
  ThreadId thread = kNoThread;  // create, join, detach, kill: the other thread
  uint64_t object = 0;          // mutex, condition variable, once control, address accessed
  uint64_t second = 0;          // wait, reacquire: the mutex; requeue: the other futex
  uint64_t value = 0;           // semaphore: its value; barrier: its count; futex: see futex_value(); memory: bytes
  union {
    uint64_t deadline = 0;  // timed: in nanoseconds of the model's clock
    uint64_t seen;          // memory: what was there when the step was taken, up to 8 bytes of it
  };
  uint64_t pc = 0;  // return address of the call in the program: its place
};

// As an assignment, by words: that is how it has just been written, and to read it in larger pieces the processor would
// have to wait until all of them have arrived (store forwarding).
inline void copy_words(Op& to, const Op& from) {
  static_assert(offsetof(Op, object) == sizeof(uint64_t) && sizeof(Op) == 6 * sizeof(uint64_t));
  __builtin_memcpy(static_cast<void*>(&to), &from, offsetof(Op, object));
  to.object = from.object;
  to.second = from.second;
  to.value = from.value;
  to.deadline = from.deadline;
  to.pc = from.pc;
}

// Sets what is known only now of an operation, whose other small fields keep what they have: in a register, as eight
// bytes that are written one by one and then read together make the processor wait, too.
inline void set_small_fields(Op& op, OpKind after, uint8_t traits, ThreadId thread) {
  static_assert(offsetof(Op, after) == 1 && offsetof(Op, traits) == 5 && offsetof(Op, thread) == 6);
  uint64_t fields;
  __builtin_memcpy(&fields, &op, sizeof fields);
  constexpr uint64_t kThose = 0xffff'ff00'0000'ff00;
  fields =
      (fields & ~kThose) | uint64_t{static_cast<uint8_t>(after)} << 8 | uint64_t{traits} << 40 | uint64_t{thread} << 48;
  __builtin_memcpy(static_cast<void*>(&op), &fields, sizeof fields);
}

// Futexes have two numbers in Op::value. woken: 0 and the bits that it waits for; wake: how many and
// the bits to be woken; requeue: how many are woken and how many are moved. No bits means all.
constexpr uint64_t futex_value(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }
constexpr uint32_t futex_low(const Op& op) { return static_cast<uint32_t>(op.value); }
constexpr uint32_t futex_high(const Op& op) { return static_cast<uint32_t>(op.value >> 32); }
constexpr uint32_t futex_bits(const Op& op) { return futex_high(op) == 0 ? ~0u : futex_high(op); }

}  // namespace snarl
