// The memory order that the program gave an atomic operation or a fence.
#pragma once

#include <cstdint>

namespace snarl {

// The order is part of the wire: append only. Three bits of Op and of Event hold it.
enum class MemoryOrder : uint8_t {
  kNone = 0,  // no atomic operation: a plain access, a call
  kRelaxed,
  kConsume,
  kAcquire,
  kRelease,
  kAcquireRelease,
  kSequential,
  kCount,
};
static_assert(static_cast<unsigned>(MemoryOrder::kCount) <= 8);

// The order that a compiler's number (__ATOMIC_RELAXED, ...) stands for. Its upper bits are hints for the processor. A
// number that stands for none counts as the strongest order.
constexpr MemoryOrder memory_order_of(int compilers) {
  const int number = compilers & 0xff;
  return number <= __ATOMIC_SEQ_CST ? static_cast<MemoryOrder>(number + 1) : MemoryOrder::kSequential;
}
static_assert(memory_order_of(__ATOMIC_RELAXED) == MemoryOrder::kRelaxed &&
              memory_order_of(__ATOMIC_CONSUME) == MemoryOrder::kConsume &&
              memory_order_of(__ATOMIC_ACQUIRE) == MemoryOrder::kAcquire &&
              memory_order_of(__ATOMIC_RELEASE) == MemoryOrder::kRelease &&
              memory_order_of(__ATOMIC_ACQ_REL) == MemoryOrder::kAcquireRelease &&
              memory_order_of(__ATOMIC_SEQ_CST) == MemoryOrder::kSequential);

}  // namespace snarl
