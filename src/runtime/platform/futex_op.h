// The little language of FUTEX_WAKE_OP: how a word is changed, and what is asked of its old value.
#pragma once

#include <linux/futex.h>

#include <cstdint>

namespace snarl::runtime::futex_op {

constexpr uint32_t code_of(uint32_t op) { return op >> 28 & 7; }
constexpr uint32_t comparison_of(uint32_t op) { return op >> 24 & 15; }
constexpr int32_t sign_extended(uint32_t bits12) { return static_cast<int32_t>(bits12 << 20) >> 20; }

constexpr bool is_known(uint32_t op) { return code_of(op) <= FUTEX_OP_XOR && comparison_of(op) <= FUTEX_OP_CMP_GE; }

constexpr uint32_t operand_of(uint32_t op) {
  const uint32_t value = static_cast<uint32_t>(sign_extended(op >> 12 & 0xfff));
  return (op >> 28 & FUTEX_OP_OPARG_SHIFT) != 0 ? 1u << (value & 31) : value;
}

constexpr uint32_t changed(uint32_t before, uint32_t op) {
  switch (code_of(op)) {
    case FUTEX_OP_SET: return operand_of(op);
    case FUTEX_OP_ADD: return before + operand_of(op);
    case FUTEX_OP_OR: return before | operand_of(op);
    case FUTEX_OP_ANDN: return before & ~operand_of(op);
    default: return before ^ operand_of(op);
  }
}

// The value before.
inline uint32_t change(uint32_t* word, uint32_t op) {
  uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(word, &before, changed(before, op), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return before;
}

constexpr bool holds(uint32_t before, uint32_t op) {
  const int32_t a = static_cast<int32_t>(before), b = sign_extended(op & 0xfff);
  switch (comparison_of(op)) {
    case FUTEX_OP_CMP_EQ: return a == b;
    case FUTEX_OP_CMP_NE: return a != b;
    case FUTEX_OP_CMP_LT: return a < b;
    case FUTEX_OP_CMP_LE: return a <= b;
    case FUTEX_OP_CMP_GT: return a > b;
    default: return a >= b;
  }
}

}  // namespace snarl::runtime::futex_op
