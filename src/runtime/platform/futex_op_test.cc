#include "runtime/platform/futex_op.h"

#include <gtest/gtest.h>

namespace snarl::runtime::futex_op {
namespace {

uint32_t op(uint32_t code, uint32_t operand, uint32_t comparison, uint32_t value) {
  return static_cast<uint32_t>(FUTEX_OP(code, operand, comparison, value));
}

TEST(FutexOp, ChangesTheWord) {
  EXPECT_EQ(changed(5, op(FUTEX_OP_SET, 7, 0, 0)), 7u);
  EXPECT_EQ(changed(5, op(FUTEX_OP_ADD, 7, 0, 0)), 12u);
  EXPECT_EQ(changed(5, op(FUTEX_OP_ADD, 0xfff, 0, 0)), 4u) << "the operand has a sign";
  EXPECT_EQ(changed(5, op(FUTEX_OP_OR, 2, 0, 0)), 7u);
  EXPECT_EQ(changed(7, op(FUTEX_OP_ANDN, 2, 0, 0)), 5u);
  EXPECT_EQ(changed(7, op(FUTEX_OP_XOR, 2, 0, 0)), 5u);
  EXPECT_EQ(changed(0, op(FUTEX_OP_SET | FUTEX_OP_OPARG_SHIFT, 4, 0, 0)), 16u);
  uint32_t word = 5;
  EXPECT_EQ(change(&word, op(FUTEX_OP_SET, 7, 0, 0)), 5u);
  EXPECT_EQ(word, 7u);
}

TEST(FutexOp, ComparesTheOldValue) {
  EXPECT_TRUE(holds(3, op(0, 0, FUTEX_OP_CMP_EQ, 3)) && !holds(4, op(0, 0, FUTEX_OP_CMP_EQ, 3)));
  EXPECT_TRUE(holds(4, op(0, 0, FUTEX_OP_CMP_NE, 3)) && !holds(3, op(0, 0, FUTEX_OP_CMP_NE, 3)));
  EXPECT_TRUE(holds(~0u, op(0, 0, FUTEX_OP_CMP_LT, 0)) && !holds(0, op(0, 0, FUTEX_OP_CMP_LT, 0)));
  EXPECT_TRUE(holds(0, op(0, 0, FUTEX_OP_CMP_LE, 0)) && !holds(1, op(0, 0, FUTEX_OP_CMP_LE, 0)));
  EXPECT_TRUE(holds(1, op(0, 0, FUTEX_OP_CMP_GT, 0xfff)) && !holds(~0u, op(0, 0, FUTEX_OP_CMP_GT, 0)));
  EXPECT_TRUE(holds(0, op(0, 0, FUTEX_OP_CMP_GE, 0)) && !holds(~0u, op(0, 0, FUTEX_OP_CMP_GE, 0)));
}

TEST(FutexOp, KnowsWhatItKnows) {
  EXPECT_TRUE(is_known(op(FUTEX_OP_XOR, 0, FUTEX_OP_CMP_GE, 0)));
  EXPECT_FALSE(is_known(op(FUTEX_OP_XOR + 1, 0, 0, 0)) || is_known(op(0, 0, FUTEX_OP_CMP_GE + 1, 0)));
}

}  // namespace
}  // namespace snarl::runtime::futex_op
