// The hooks as they are linked into a program, with a block of the test's own in the place of the runtime's.
#include "instrument/hooks.h"

#include <gtest/gtest.h>

#include <vector>

#include "instrument/specialise.h"

extern "C" {
void __tsan_read4(void* address);
void __tsan_write16(void* address);
void __tsan_unaligned_volatile_write8(void* address);
}

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
void tell_undecided(uint32_t kind, uint64_t pc, uint64_t address, uint64_t size) {
  told.push_back({false, kind, pc, address, size});
}

// One place, however often it is called.
__attribute__((noinline)) void read_value() {
  __tsan_read4(&value);
  asm volatile("");  // no tail call: the return address is here
}

// In the order of their values, and once before any of them was written: so a process goes through all.
class Hooks : public testing::Test {
 protected:
  Hooks() {
    told.clear();
    fake = {};
    fake.me = 1;
    fake.owners = &fake.me;
    fake.point = tell_point;
    fake.undecided = tell_undecided;
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

TEST_F(Hooks, ForNone) {
  specialise(Accesses::kNone);
  fake.owners = nobodys;
  read_value();
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(fake.allowance, 0);
}

}  // namespace
}  // namespace snarl::instrument
