// The fast path of every hook except those of plain accesses (accesses.S). It runs in the tested program's own code, at
// any time: before constructors, in signal handlers, in threads that are not controlled.
#pragma once

#include <cstddef>
#include <cstdint>

#include "instrument/block.h"
#include "schedule/operation.h"

// All of our code in a tested program lies in a section of its own. Its name tells the scanner (src/scan) that the
// atomic instructions in it have hooks already, and that whoever calls it has.
#define SNARL_OWN __attribute__((section("snarl_tsan")))

// Hidden in programs and libraries that link the archive, exported by the library that stands for libtsan.
#define SNARL_TSAN extern "C" __attribute__((visibility(SNARL_TSAN_VISIBILITY), noinline)) SNARL_OWN
#define SNARL_TSAN_PC reinterpret_cast<uint64_t>(__builtin_return_address(0))

namespace snarl::instrument {

// This module's block; null: no tool, or not yet.
extern Block* block __asm__("snarl_tsan_block") __attribute__((visibility("hidden")));

#define SNARL_INLINE __attribute__((always_inline)) inline
#define SNARL_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SNARL_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// Before a plain access of any size, or none. Those of at most 16 bytes mostly use accesses.S.
SNARL_INLINE void access(OpKind kind, uint64_t pc, const volatile void* pointer, size_t size) {
  if (SNARL_UNLIKELY(block != nullptr) && size != 0)
    block->undecided(what_of(kind), pc, reinterpret_cast<uint64_t>(pointer), size);
}

// Before an atomic operation, a fence or a pause. `order`: the compiler's number for it.
SNARL_INLINE void atomic(OpKind kind, int order, uint64_t pc, const volatile void* pointer, uint32_t size) {
  Block* b = block;
  if (SNARL_LIKELY(b == nullptr) || !b->atomics) return;
  if (SNARL_UNLIKELY(--b->allowance < 0))
    b->point(what_of(kind, memory_order_of(order)), pc, reinterpret_cast<uint64_t>(pointer), size);
}

// An atomic operation was performed, and nobody else has run since. The detector of races is told of each.
SNARL_INLINE void performed(OpKind kind, int order, uint64_t pc, const volatile void* pointer, uint32_t size) {
  Block* b = block;
  if (SNARL_LIKELY(b == nullptr) || SNARL_LIKELY(!b->races)) return;
  b->performed(what_of(kind, memory_order_of(order)), pc, reinterpret_cast<uint64_t>(pointer), size);
}

// After an atomic read-modify-write: other threads may overtake what follows it (docs/rules.md, rule 4).
SNARL_INLINE void after_atomic(int order, uint64_t pc, const volatile void* pointer) {
  Block* b = block;
  if (SNARL_LIKELY(b == nullptr) || !b->atomics) return;
  if (SNARL_UNLIKELY(--b->allowance < 0))
    b->after(what_of(OpKind::kAtomicRmw, memory_order_of(order)), pc, reinterpret_cast<uint64_t>(pointer));
}

}  // namespace snarl::instrument
