// Every atomic operation. The compiler leaves the operation itself to us: it is performed with sequential consistency,
// which is what was asked for or stronger (one thread runs at a time; weak memory is not explored). A weak
// compare-exchange never fails without a cause.
#include "instrument/hooks.h"

namespace snarl::instrument {
namespace {

constexpr int kOrder = __ATOMIC_SEQ_CST;

// Numbers of one size. 16 bytes use cmpxchg16b: the compiler would call libatomic.
template <typename T>
struct Cell {
  SNARL_INLINE static T load(const volatile T* at) { return __atomic_load_n(at, kOrder); }
  SNARL_INLINE static bool swap_if(volatile T* at, T& expected, T value) {
    return __atomic_compare_exchange_n(at, &expected, value, false, kOrder, kOrder);
  }
  SNARL_INLINE static void store(volatile T* at, T value) { __atomic_store_n(at, value, kOrder); }
  SNARL_INLINE static T exchange(volatile T* at, T value) { return __atomic_exchange_n(at, value, kOrder); }
};

__extension__ typedef unsigned __int128 Wide;

template <>
struct Cell<Wide> {
  // A load writes back what it found, so memory that can't be written can't be loaded, as with libatomic.
  SNARL_INLINE static Wide load(const volatile Wide* at) {
    return __sync_val_compare_and_swap(const_cast<volatile Wide*>(at), 0, 0);
  }
  SNARL_INLINE static bool swap_if(volatile Wide* at, Wide& expected, Wide value) {
    const Wide found = __sync_val_compare_and_swap(at, expected, value);
    const bool swapped = found == expected;
    expected = found;
    return swapped;
  }
  SNARL_INLINE static void store(volatile Wide* at, Wide value) { exchange(at, value); }
  SNARL_INLINE static Wide exchange(volatile Wide* at, Wide value) {
    Wide expected = load(at);
    while (!swap_if(at, expected, value)) {
    }
    return expected;
  }
};

template <typename T>
SNARL_INLINE T load(const volatile T* at, int order, uint64_t pc) {
  atomic(OpKind::kAtomicLoad, order, pc, at, sizeof(T));
  performed(OpKind::kAtomicLoad, order, pc, at, sizeof(T));
  return Cell<T>::load(at);
}

template <typename T>
SNARL_INLINE void store(volatile T* at, T value, int order, uint64_t pc) {
  atomic(OpKind::kAtomicStore, order, pc, at, sizeof(T));
  performed(OpKind::kAtomicStore, order, pc, at, sizeof(T));
  Cell<T>::store(at, value);
}

template <typename T>
SNARL_INLINE T exchange(volatile T* at, T value, int order, uint64_t pc) {
  atomic(OpKind::kAtomicRmw, order, pc, at, sizeof(T));
  const T before = Cell<T>::exchange(at, value);
  performed(OpKind::kAtomicRmw, order, pc, at, sizeof(T));
  after_atomic(order, pc, at);
  return before;
}

// `f` makes the new value from the old one.
template <typename T, typename F>
SNARL_INLINE T update(volatile T* at, int order, uint64_t pc, F&& f) {
  atomic(OpKind::kAtomicRmw, order, pc, at, sizeof(T));
  T before = Cell<T>::load(at);
  while (!Cell<T>::swap_if(at, before, static_cast<T>(f(before)))) {
  }
  performed(OpKind::kAtomicRmw, order, pc, at, sizeof(T));
  after_atomic(order, pc, at);
  return before;
}

template <typename T>
SNARL_INLINE bool swap_if(volatile T* at, T& expected, T value, int order, int order_if_not, uint64_t pc) {
  atomic(OpKind::kAtomicRmw, order, pc, at, sizeof(T));
  const bool swapped = Cell<T>::swap_if(at, expected, value);
  performed(swapped ? OpKind::kAtomicRmw : OpKind::kAtomicLoad, swapped ? order : order_if_not, pc, at, sizeof(T));
  after_atomic(swapped ? order : order_if_not, pc, at);
  return swapped;
}

}  // namespace

#define SNARL_UPDATE(bits, T, name, expression)                                                        \
  SNARL_TSAN T __tsan_atomic##bits##_##name(volatile T* at, T value, int order) {                      \
    return update(at, order, SNARL_TSAN_PC, [value](T before) { return static_cast<T>(expression); }); \
  }

#define SNARL_SWAP_IF(bits, T, name)                                                                               \
  SNARL_TSAN int __tsan_atomic##bits##_##name(volatile T* at, T* expected, T value, int order, int order_if_not) { \
    return swap_if(at, *expected, value, order, order_if_not, SNARL_TSAN_PC);                                      \
  }

#define SNARL_ATOMIC(bits, T)                                                                                         \
  SNARL_TSAN T __tsan_atomic##bits##_load(const volatile T* at, int order) { return load(at, order, SNARL_TSAN_PC); } \
  SNARL_TSAN void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                                   \
    store(at, value, order, SNARL_TSAN_PC);                                                                           \
  }                                                                                                                   \
  SNARL_TSAN T __tsan_atomic##bits##_exchange(volatile T* at, T value, int order) {                                   \
    return exchange(at, value, order, SNARL_TSAN_PC);                                                                 \
  }                                                                                                                   \
  SNARL_UPDATE(bits, T, fetch_add, before + value)                                                                    \
  SNARL_UPDATE(bits, T, fetch_sub, before - value)                                                                    \
  SNARL_UPDATE(bits, T, fetch_and, before& value)                                                                     \
  SNARL_UPDATE(bits, T, fetch_or, before | value)                                                                     \
  SNARL_UPDATE(bits, T, fetch_xor, before ^ value)                                                                    \
  SNARL_UPDATE(bits, T, fetch_nand, ~(before & value))                                                                \
  SNARL_SWAP_IF(bits, T, compare_exchange_strong)                                                                     \
  SNARL_SWAP_IF(bits, T, compare_exchange_weak)                                                                       \
  SNARL_TSAN T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T value, int order,             \
                                                          int order_if_not) {                                         \
    swap_if(at, expected, value, order, order_if_not, SNARL_TSAN_PC);                                                 \
    return expected;                                                                                                  \
  }

SNARL_ATOMIC(8, uint8_t)
SNARL_ATOMIC(16, uint16_t)
SNARL_ATOMIC(32, uint32_t)
SNARL_ATOMIC(64, uint64_t)
SNARL_ATOMIC(128, Wide)

SNARL_TSAN void __tsan_atomic_thread_fence(int order) {
  atomic(OpKind::kFence, order, SNARL_TSAN_PC, nullptr, 0);
  performed(OpKind::kFence, order, SNARL_TSAN_PC, nullptr, 0);
  __atomic_thread_fence(kOrder);
}

// Only between a thread and its own signal handlers: no other thread sees it.
SNARL_TSAN void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(kOrder); }

}  // namespace snarl::instrument
