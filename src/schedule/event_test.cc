#include "schedule/event.h"

#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>

#include "schedule/event_words.h"
#include "schedule/memory_order.h"

namespace snarl {
namespace {

static_assert(sizeof(Event) <= 48 && std::is_trivially_copyable_v<Event>);
static_assert(sizeof(Op) == 48, "the hot path copies it");

TEST(Event, SaysWhatItsValueIs) {
  Event event;
  event.value = 9;
  event.kind = OpKind::kJoin;
  EXPECT_EQ(other_of(event), 9u);
  EXPECT_EQ(second_of(event), 0u);
  event.kind = OpKind::kWait;
  EXPECT_EQ(other_of(event), 0u);
  EXPECT_EQ(second_of(event), 9u);
  event.kind = OpKind::kAfter, event.after = OpKind::kCreate;
  EXPECT_EQ(other_of(event), 9u);
  event.kind = OpKind::kAtomicLoad;
  EXPECT_EQ(value_is(event.kind), ValueIs::kMemory);
  EXPECT_EQ(other_of(event) + second_of(event), 0u);
}

// The bits beside each other are each other's neighbours, not each other.
TEST(Event, FieldsDoNotOverlap) {
  Event event;
  event.thread = Event::kMostThreads;
  event.stack = Event::kMostStacks;
  EXPECT_EQ(MemoryOrder{event.order}, MemoryOrder::kNone);
  EXPECT_EQ(event.block, 0u);
  event.order = MemoryOrder::kSequential;
  event.switched = Reason::kYielded;
  event.block = Event::kMostBlocks;
  EXPECT_FALSE(event.late);
  EXPECT_EQ(event.thread, Event::kMostThreads);
  EXPECT_EQ(event.stack, Event::kMostStacks);
  EXPECT_EQ(MemoryOrder{event.order}, MemoryOrder::kSequential);
  EXPECT_EQ(Reason{event.switched}, Reason::kYielded);
}

// Against the compiler's own way to write the fields.
TEST(Event, WordsAreItsFields) {
  Event expected, written;
  expected.step = 1, expected.object = 2, expected.value = 3, expected.pc = 4;
  expected.thread = 0xabcdef;
  expected.order = MemoryOrder::kAcquire;
  expected.switched = Reason::kEnded;
  expected.late = true;
  expected.stack = 0xfedcb;
  expected.block = 0xabc;
  expected.size = 0x12345678;
  expected.kind = OpKind::kAfter;
  expected.after = OpKind::kAtomicRmw;
  expected.result = -2;
  write_event(written, 1, 2, 3, 4,
              {.thread = 0xabcdef,
               .order = MemoryOrder::kAcquire,
               .switched = Reason::kEnded,
               .late = true,
               .stack = 0xfedcb,
               .block = 0xabc,
               .size = 0x12345678,
               .kind = OpKind::kAfter,
               .after = OpKind::kAtomicRmw,
               .result = -2});
  EXPECT_EQ(std::memcmp(&expected, &written, sizeof expected), 0);
}

TEST(MemoryOrder, ComesFromTheCompilersNumber) {
  EXPECT_EQ(memory_order_of(__ATOMIC_ACQUIRE | 1 << 16), MemoryOrder::kAcquire) << "with a hint for the processor";
  EXPECT_EQ(memory_order_of(77), MemoryOrder::kSequential);
}

// Kinds beyond the first word, which have no name yet.
TEST(OpKinds, HasRoomForTwiceAsMany) {
  for (unsigned i = 0; i < OpKinds::kRoom; ++i) {
    const OpKinds one = {static_cast<OpKind>(i)};
    const OpKinds both = one | OpKinds{static_cast<OpKind>((i + 64) % OpKinds::kRoom)};
    for (unsigned j = 0; j < OpKinds::kRoom; ++j) {
      ASSERT_EQ(one.has(static_cast<OpKind>(j)), i == j);
      ASSERT_EQ(both.has(static_cast<OpKind>(j)), i % 64 == j % 64);
    }
  }
}

}  // namespace
}  // namespace snarl
