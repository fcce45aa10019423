#include "model/objects.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "base/rng.h"
#include "model/model_driver.h"

namespace snarl::model {
namespace {

constexpr MutexKind kNormal = MutexKind::kNormal;

template <typename Table>
uint32_t entries(const Table& table) {
  uint32_t count = 0;
  table.for_each([&](const Object&) { ++count; });
  return count;
}

TEST(Objects, IdleOnesAreSweptOut) {
  ModelDriver d;
  uint32_t most = 0;
  for (uint64_t m = 1; m <= 100'000; ++m) {
    ASSERT_EQ(d.go(kMainThread, OpKind::kLock, m * 40), 0);
    ASSERT_EQ(d.go(kMainThread, OpKind::kUnlock, m * 40), 0);
    most = std::max(most, entries(d.model->objects()));
  }
  EXPECT_LE(most, 64u);
}

TEST(Objects, SixteenThousandHeldAtOnceAndNoMore) {
  ModelDriver d;
  for (uint64_t m = 1; m <= ObjectTable::kCapacity; ++m) ASSERT_EQ(d.go(kMainThread, OpKind::kLock, m * 40), 0) << m;
  EXPECT_FALSE(d.model->publish(kMainThread, Op{.kind = OpKind::kLock, .object = 7}));
  EXPECT_EQ(entries(d.model->objects()), ObjectTable::kCapacity);
  for (uint64_t m = 1; m <= ObjectTable::kCapacity; ++m) ASSERT_EQ(d.model->owner(m * 40), kMainThread);
  EXPECT_EQ(d.go(kMainThread, OpKind::kUnlock, 40), 0);  // one place
  EXPECT_EQ(d.go(kMainThread, OpKind::kLock, 7), 0);
  EXPECT_EQ(d.model->owner(40), kNoThread);
}

// Random holds and releases of many addresses (also those that collide in their low or high bits).
TEST(Objects, AgreeWithAMap) {
  auto table = std::make_unique<ObjectTable>();
  Rng rng(1);
  for (const int shift : {0, 3, 12, 40, 52}) {
    table->begin();
    std::map<uint64_t, ThreadId> held;
    for (int i = 0; i < 30'000; ++i) {
      const uint64_t address = (1 + rng.below(3000)) << shift;
      if (held.count(address) != 0) {
        Object* object = table->find(address);
        ASSERT_NE(object, nullptr);
        ASSERT_EQ(object->mutex.owner, held[address]);
        object->mutex.release();
        held.erase(address);
      } else {
        const Object* stale = table->find(address);
        ASSERT_TRUE(stale == nullptr || stale->is_idle());
        const ThreadId owner = static_cast<ThreadId>(rng.below(100));
        table->find_or_make(address)->mutex.lock(kNormal, owner, 0);
        held[address] = owner;
      }
    }
    for (const auto& [address, owner] : held) ASSERT_EQ(table->find(address)->mutex.owner, owner);
    table->for_each([&](const Object& object) { EXPECT_EQ(object.is_idle(), held.count(object.address) == 0); });
  }
}

TEST(Objects, BeginForgetsEverything) {
  ModelDriver d;
  for (uint64_t m = 1; m <= 1000; ++m) d.go(kMainThread, OpKind::kLock, m);
  d.model->begin();
  EXPECT_EQ(entries(d.model->objects()), 0u);
  for (uint64_t m = 1; m <= 1000; ++m) ASSERT_EQ(d.model->owner(m), kNoThread);
  EXPECT_EQ(d.go(kMainThread, OpKind::kLock, 5), 0);
}

TEST(Objects, AMutexOfAnEndedThreadStaysLocked) {
  ModelDriver d;
  const ThreadId a = d.start();
  ASSERT_EQ(d.go(a, OpKind::kLock, 1), 0);
  d.exit(a);
  ASSERT_EQ(d.step(kMainThread, OpKind::kJoin, a), 0);
  const ThreadId b = d.start();
  ASSERT_EQ(b, a) << "the slot is reused";
  EXPECT_EQ(d.model->owner(1), kGoneThread);
  EXPECT_EQ(d.go(b, OpKind::kTryLock, 1), EBUSY);
  EXPECT_EQ(d.go(b, OpKind::kTryLock, 1, MutexKind::kRecursive), EBUSY);
  EXPECT_EQ(d.go(b, OpKind::kUnlock, 1, MutexKind::kErrorCheck), EPERM);
  uint32_t ordinal = 0;
  d.model->objects().for_each([&](const Object& o) { ordinal = o.owner_ordinal; });
  EXPECT_EQ(ordinal, 1u) << "the first thread, not the one that has its slot now";
  for (uint64_t m = 100; m < 300; ++m) d.go(b, OpKind::kLock, m);  // growth and sweeps keep it
  EXPECT_FALSE(d.arrive(b, OpKind::kLock, 1));
  EXPECT_EQ(d.go(kMainThread, OpKind::kUnlock, 1), 0);  // any thread may unlock a normal one
  EXPECT_TRUE(d.is_enabled(b));
}

TEST(Objects, OwnerOrdinalFollowsTheOwner) {
  ModelDriver d;
  const ThreadId a = d.start();
  const auto ordinal = [&] {
    uint32_t found = 99;
    d.model->objects().for_each([&](const Object& o) { found = o.owner_ordinal; });
    return found;
  };
  d.go(a, OpKind::kLock, 1);
  EXPECT_EQ(ordinal(), 1u);
  d.go(a, OpKind::kUnlock, 1);
  d.go(kMainThread, OpKind::kTryLock, 1);
  EXPECT_EQ(ordinal(), 0u);
}

}  // namespace
}  // namespace snarl::model
