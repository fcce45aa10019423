// The hooks as they are linked into a program, with a block of the test's own in the place of the runtime's.
#include "instrument/hooks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "instrument/specialise.h"

extern "C" {
void __tsan_read4(void* address);
void __tsan_write16(void* address);
void __tsan_unaligned_volatile_write8(void* address);
void __tsan_atomic_thread_fence(int order);
void __tsan_func_entry(void* caller);
void __tsan_func_exit();
}

__extension__ typedef unsigned __int128 Wide;

// The hooks of one size, as compilers declare them.
#define SNARL_DECLARE(bits, T)                                                                              \
  extern "C" {                                                                                              \
  T __tsan_atomic##bits##_load(const volatile T* at, int order);                                            \
  void __tsan_atomic##bits##_store(volatile T* at, T value, int order);                                     \
  T __tsan_atomic##bits##_exchange(volatile T* at, T value, int order);                                     \
  T __tsan_atomic##bits##_fetch_add(volatile T* at, T value, int order);                                    \
  T __tsan_atomic##bits##_fetch_sub(volatile T* at, T value, int order);                                    \
  T __tsan_atomic##bits##_fetch_and(volatile T* at, T value, int order);                                    \
  T __tsan_atomic##bits##_fetch_or(volatile T* at, T value, int order);                                     \
  T __tsan_atomic##bits##_fetch_xor(volatile T* at, T value, int order);                                    \
  T __tsan_atomic##bits##_fetch_nand(volatile T* at, T value, int order);                                   \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* was, T value, int order, int fails); \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* was, T value, int order, int fails);   \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T was, T value, int order, int fails);       \
  }
SNARL_DECLARE(8, uint8_t)
SNARL_DECLARE(16, uint16_t)
SNARL_DECLARE(32, uint32_t)
SNARL_DECLARE(64, uint64_t)
SNARL_DECLARE(128, Wide)

namespace snarl::instrument {
namespace {

struct Told {
  bool point;
  uint32_t kind;
  uint64_t pc, address, size;
};
std::vector<Told> told;
Block fake;
Granule nobodys[1] = {0};
int value;

void tell_point(uint32_t kind, uint64_t pc, uint64_t address, uint32_t size) {
  told.push_back({true, kind, pc, address, size});
}
void tell_after(uint32_t kind, uint64_t pc, uint64_t address) { told.push_back({false, kind, pc, address, 0}); }
void tell_undecided(uint32_t kind, uint64_t pc, uint64_t address, uint64_t size) {
  told.push_back({false, kind, pc, address, size});
}

// One place, however often it is called.
__attribute__((noinline)) void read_value() {
  __tsan_read4(&value);
  asm volatile("");  // no tail call: the return address is here
}

// In the order of their values, and once before any of them was written: so a process goes through all.
CallStackOf<2> first_stack;
CallStackOf<4> deeper_stack;
int deepened;

void deepen() {
  ++deepened;
  if (fake.stack->room == 4) return;  // no more are kept
  deeper_stack.depth = first_stack.depth;
  std::copy_n(first_stack.frames(), 2, deeper_stack.frames());
  fake.stack = &deeper_stack;
}

class Hooks : public testing::Test {
 protected:
  Hooks() {
    told.clear();
    fake = {};
    fake.me = 1;
    fake.owners = &fake.me;
    fake.point = tell_point;
    fake.after = tell_after;
    fake.undecided = tell_undecided;
    fake.deepen = deepen;
    block = &fake;
  }
  ~Hooks() override { block = nullptr; }

  static uint64_t place_of_read() {
    const Granule* owners = fake.owners;
    fake.owners = nobodys;
    read_value();
    fake.owners = owners;
    const uint64_t pc = told.empty() ? 0 : told.back().pc;
    told.clear();
    return pc;
  }

  static void check_shared() {
    const uint64_t pc = place_of_read();
    ASSERT_NE(pc, 0u);
    read_value();
    EXPECT_TRUE(told.empty()) << "its own memory, at a place that is not known";
    fake.front[front_slot(pc)] = pc;
    fake.allowance = 2;
    for (int i = 0; i < 3; ++i) read_value();
    ASSERT_EQ(told.size(), 1u) << "the third is asked for";
    EXPECT_TRUE(told[0].point);
    EXPECT_EQ(told[0].kind, what_of(OpKind::kRead));
    EXPECT_EQ(told[0].pc, pc);
    EXPECT_EQ(told[0].address, reinterpret_cast<uint64_t>(&value));
    EXPECT_EQ(told[0].size, 4u);
    fake.front[front_slot(pc)] = pc + kFrontSlots;
    read_value();
    ASSERT_EQ(told.size(), 2u) << "another place has its slot";
    EXPECT_FALSE(told[1].point);
    fake.front[front_slot(pc)] = 0;
    fake.owners = nobodys;
    char bytes[16];
    __tsan_write16(bytes);
    __tsan_unaligned_volatile_write8(bytes + 1);
    ASSERT_EQ(told.size(), 4u);
    EXPECT_EQ(told[2].kind, what_of(OpKind::kWrite));
    EXPECT_EQ(told[2].size, 16u);
    EXPECT_EQ(told[3].address, reinterpret_cast<uint64_t>(bytes + 1));
    EXPECT_EQ(told[3].size, 8u);
  }
};

TEST_F(Hooks, AsTheyAreBuilt) {
  check_shared();
  block = nullptr;
  read_value();
  EXPECT_EQ(told.size(), 4u) << "without the tool they do nothing";
}

TEST_F(Hooks, ForSharedPlaces) {
  specialise(Accesses::kShared);
  check_shared();
}

TEST_F(Hooks, ForAllPlaces) {
  specialise(Accesses::kAll);
  fake.allowance = 10;
  for (int i = 0; i < 10; ++i) read_value();
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(fake.allowance, 0);
  read_value();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_TRUE(told[0].point);
  EXPECT_EQ(told[0].size, 4u);
}

// The point, and (for what reads and writes) the point after it.
void expect_told(OpKind kind, int order, uint64_t size, int order_after) {
  ASSERT_EQ(told.size(), kind == OpKind::kAtomicRmw ? 2u : 1u);
  EXPECT_TRUE(told[0].point);
  EXPECT_EQ(told[0].kind, what_of(kind, memory_order_of(order)));
  EXPECT_EQ(told[0].size, size);
  if (kind == OpKind::kAtomicRmw) {
    EXPECT_FALSE(told[1].point);
    EXPECT_EQ(told[1].kind, what_of(kind, memory_order_of(order_after)));
  }
  told.clear();
}

#define SNARL_EXPECT(call, kind, T) (void)(call), expect_told(OpKind::kind, order, sizeof(T), order)
#define SNARL_EXPECT_SWAPS(bits, T, name, address_of)                                                       \
  was = cell = 1, (void)__tsan_atomic##bits##_##name(&cell, address_of was, T{2}, order, __ATOMIC_CONSUME), \
  expect_told(OpKind::kAtomicRmw, order, sizeof(T), order), was = 9,                                        \
  (void)__tsan_atomic##bits##_##name(&cell, address_of was, T{2}, order, __ATOMIC_CONSUME),                 \
  expect_told(OpKind::kAtomicRmw, order, sizeof(T), __ATOMIC_CONSUME);                                      \
  EXPECT_TRUE(cell == T{2})
#define SNARL_EXPECT_ALL(bits, T)                                                   \
  for (int order = __ATOMIC_RELAXED; order <= __ATOMIC_SEQ_CST; ++order) {          \
    alignas(16) T cell = 1, was = 1;                                                \
    SNARL_EXPECT(__tsan_atomic##bits##_load(&cell, order), kAtomicLoad, T);         \
    SNARL_EXPECT(__tsan_atomic##bits##_store(&cell, 1, order), kAtomicStore, T);    \
    SNARL_EXPECT(__tsan_atomic##bits##_exchange(&cell, 1, order), kAtomicRmw, T);   \
    SNARL_EXPECT(__tsan_atomic##bits##_fetch_add(&cell, 1, order), kAtomicRmw, T);  \
    SNARL_EXPECT(__tsan_atomic##bits##_fetch_sub(&cell, 1, order), kAtomicRmw, T);  \
    SNARL_EXPECT(__tsan_atomic##bits##_fetch_and(&cell, 1, order), kAtomicRmw, T);  \
    SNARL_EXPECT(__tsan_atomic##bits##_fetch_or(&cell, 1, order), kAtomicRmw, T);   \
    SNARL_EXPECT(__tsan_atomic##bits##_fetch_xor(&cell, 1, order), kAtomicRmw, T);  \
    SNARL_EXPECT(__tsan_atomic##bits##_fetch_nand(&cell, 1, order), kAtomicRmw, T); \
    SNARL_EXPECT_SWAPS(bits, T, compare_exchange_strong, &);                        \
    SNARL_EXPECT_SWAPS(bits, T, compare_exchange_weak, &);                          \
    SNARL_EXPECT_SWAPS(bits, T, compare_exchange_val, );                            \
  }

TEST_F(Hooks, AtomicsTellTheirOrder) {
  fake.atomics = true;
  fake.allowance = 0;
  SNARL_EXPECT_ALL(8, uint8_t)
  SNARL_EXPECT_ALL(16, uint16_t)
  SNARL_EXPECT_ALL(32, uint32_t)
  SNARL_EXPECT_ALL(64, uint64_t)
  SNARL_EXPECT_ALL(128, Wide)
  for (int order = __ATOMIC_RELAXED; order <= __ATOMIC_SEQ_CST; ++order) {
    __tsan_atomic_thread_fence(order);
    expect_told(OpKind::kFence, order, 0, order);
  }
}

[[gnu::noinline]] uint32_t dive(uint64_t depth) {
  __tsan_func_entry(reinterpret_cast<void*>(depth));
  const uint32_t deepest = depth == 0 ? fake.stack->depth : dive(depth - 1);
  __tsan_func_exit();
  return deepest;
}

TEST_F(Hooks, CallsGoDeeperThanTheFirstStack) {
  first_stack.depth = deepened = 0;
  first_stack.room = 2;
  deeper_stack.room = 4;
  fake.stack = &first_stack;
  fake.calls = true;
  EXPECT_EQ(dive(1), 2u);
  EXPECT_EQ(deepened, 0);
  EXPECT_EQ(fake.stack, &first_stack);
  EXPECT_EQ(first_stack.depth, 0u);
  EXPECT_EQ(dive(6), 7u) << "the last three are counted";
  EXPECT_EQ(deepened, 2) << "at the end of each stack, once";
  EXPECT_EQ(fake.stack, &deeper_stack);
  EXPECT_EQ(deeper_stack.depth, 0u);
  for (uint64_t i = 0; i < 4; ++i) EXPECT_EQ(deeper_stack.frames()[i].caller, 6 - i);
  fake.calls = false;
}

TEST_F(Hooks, ForNone) {
  specialise(Accesses::kNone);
  fake.owners = nobodys;
  read_value();
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(fake.allowance, 0);
}

}  // namespace
}  // namespace snarl::instrument
