// Fibers that libc has really made, and in which nobody lives. The pool outlives each test, as it does each run.
#include "runtime/fiber/pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/platform/glibc.h"
#include "runtime/platform/real.h"
#include "runtime/state/test_run.h"

namespace snarl::runtime::fiber {
namespace {

class Attributes {
 public:
  Attributes(size_t stack, size_t guard) {
    pthread_attr_init(&attributes_);
    pthread_attr_setstacksize(&attributes_, stack);
    pthread_attr_setguardsize(&attributes_, guard);
  }
  ~Attributes() { pthread_attr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  const pthread_attr_t* get() const { return &attributes_; }

 private:
  pthread_attr_t attributes_;
};

// As libc says; it asks the kernel for a living thread, for which ours must do.
size_t stack_size_of(const Fiber& fiber) {
  pthread_attr_t attributes;
  void* begin = nullptr;
  size_t size = 0;
  *glibc::tid_word(fiber.handle) = static_cast<uint32_t>(gettid());
  if (real().pthread_getattr_np(fiber.handle, &attributes) == 0) {
    pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
  }
  *glibc::tid_word(fiber.handle) = 0;
  return size;
}

class Pool : public testing::Test {
 protected:
  void SetUp() override {
    resolve_real();
    ASSERT_TRUE(glibc::find_offsets());
    begin();
  }

  static Fiber* taken(const pthread_attr_t* attributes = nullptr) {
    Fiber* fiber = nullptr;
    EXPECT_EQ(take(attributes, fiber), 0);
    return fiber;
  }
  wire::State& state() { return engine::shared->state; }

  // As the wire has it.
  OwnStacks told(size_t stack, size_t guard) {
    for (const OwnStacks& own : state().own_stacks)
      if (own.is_of(stack, guard)) return own;
    return {};
  }

  TestRun run_;
};

// So stacks and handles of a run don't depend on the order in which the threads of the run before were joined.
TEST_F(Pool, TheFirstMadeIsTakenFirstWhateverEarlierRunsDid) {
  fill(4);
  std::array<Fiber*, 4> first;
  for (Fiber*& fiber : first) fiber = taken();
  EXPECT_TRUE(std::ranges::is_sorted(first));
  std::array<size_t, 4> order{0, 1, 2, 3};
  do {
    for (const size_t i : order) give_back(*first[i]);
    for (Fiber* fiber : first) ASSERT_EQ(taken(), fiber);
  } while (std::ranges::next_permutation(order).found);
  for (Fiber* fiber : first) give_back(*fiber);
}

TEST_F(Pool, StacksOfOtherSizesArePreparedToo) {
  constexpr size_t kSize = 96 << 10, kGuard = 8192;
  const Attributes asked(kSize, kGuard), other_guard(kSize, 4096);
  fill({.size = kSize, .guard_size = kGuard}, 2);
  const uint32_t made = count();
  Fiber* const usual = taken();
  std::vector<Fiber*> mine{taken(asked.get()), taken(asked.get())};
  const uint32_t usual_made = count() - made;
  EXPECT_LE(usual_made, 1u) << "the usual one only";
  mine.push_back(taken(asked.get()));
  EXPECT_EQ(count(), made + usual_made + 1);
  Fiber* const other = taken(other_guard.get());
  EXPECT_EQ(count(), made + usual_made + 2);
  for (Fiber* fiber : mine) {
    EXPECT_EQ(stack_size_of(*fiber), kSize);
    give_back(*fiber);
  }
  give_back(*other);
  give_back(*usual);
}

TEST_F(Pool, TheWireSaysHowManyWereTaken) {
  constexpr size_t kSize = 112 << 10, kGuard = 4096;
  const Attributes asked(kSize, kGuard);
  const auto of_mine = [](uint32_t at_once, uint32_t threads) {
    return OwnStacks{.size = kSize, .guard_size = kGuard, .at_once = at_once, .threads = threads};
  };
  EXPECT_EQ(state().at_once, 1u) << "main";
  give_back(*taken());
  Fiber* const usual = taken();
  EXPECT_EQ(state().at_once, 2u);
  EXPECT_EQ(told(kSize, kGuard), OwnStacks());
  give_back(*taken(asked.get()));
  Fiber *const first = taken(asked.get()), *const second = taken(asked.get());
  EXPECT_EQ(told(kSize, kGuard), of_mine(2, 3));
  EXPECT_EQ(state().at_once, 2u) << "on stacks of the default size";
  for (Fiber* fiber : {usual, first, second}) give_back(*fiber);
  EXPECT_EQ(told(kSize, kGuard), of_mine(2, 3));
  for (OwnStacks& own : state().own_stacks) own = {};  // the next run
  begin();
  give_back(*taken(asked.get()));
  EXPECT_EQ(told(kSize, kGuard), of_mine(1, 1));
  EXPECT_EQ(state().at_once, 1u);
}

}  // namespace
}  // namespace snarl::runtime::fiber
