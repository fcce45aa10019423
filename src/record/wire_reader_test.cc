#include "record/wire_reader.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/rng.h"
#include "record/wire_memory.h"
#include "schedule/ordinal.h"

namespace snarl::record {
namespace {

template <typename T>
void trash(T& what, Rng& rng) {
  auto* bytes = reinterpret_cast<unsigned char*>(&what);
  for (size_t i = 0; i < sizeof what; ++i) bytes[i] = static_cast<unsigned char>(rng.next());
}

// Walks over everything that a reader of the record would, so that ASan sees each index.
uint64_t walk(const RunRecord& record) {
  uint64_t sum = record.message.size();
  const auto stack = [&](uint32_t first, uint32_t depth) {
    for (uint32_t i = 0; i < depth; ++i) sum += record.frames[first + i];
  };
  for (const wire::Event& event : record.events) {
    EXPECT_LT(event.kind, OpKind::kCount);
    EXPECT_LT(event.switched, Reason::kCount);
    EXPECT_FALSE(is_timer_ordinal(event.thread) || is_timer_ordinal(event.other));
    stack(event.stack, event.depth);
  }
  for (const wire::Thread& thread : record.threads) {
    EXPECT_LE(thread.phase, wire::ThreadPhase::kEnded);
    EXPECT_FALSE(is_timer_ordinal(thread.ordinal) || is_timer_ordinal(thread.creator));
    EXPECT_LT(std::strlen(thread.label), sizeof thread.label);
    stack(thread.stack, thread.depth);
  }
  for (const wire::Held& held : record.held) {
    EXPECT_FALSE(is_timer_ordinal(held.owner));
    stack(held.stack, held.depth);
  }
  for (const wire::MisuseEntry& misuse : record.misuses) {
    EXPECT_LT(misuse.what.kind, MisuseKind::kCount);
    EXPECT_LT(misuse.what.op, OpKind::kCount);
    EXPECT_LT(misuse.what.other_op, OpKind::kCount);
    stack(misuse.stack, misuse.depth);
  }
  EXPECT_FALSE(is_timer_ordinal(record.failing_thread));
  for (const wire::Module& module : record.modules) {
    EXPECT_LT(std::strlen(module.path), sizeof module.path);
    EXPECT_LE(module.build_id_size, sizeof module.build_id);
  }
  for (const Decision& decision : record.decisions) EXPECT_LT(decision.kind, OpKind::kCount);
  return sum;
}

TEST(WireReader, SurvivesRandomBytes) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  for (uint64_t round = 0; round < 20; ++round) {
    Rng rng(round);
    trash(layout.state, rng);
    trash(layout.modules, rng);
    trash(layout.threads, rng);
    trash(layout.held, rng);
    trash(layout.misuses, rng);
    for (size_t i = 0; i < 2000; ++i) trash(layout.events[i], rng), trash(layout.decisions[i], rng);
    if (round % 2 == 0) layout.state.frames = 100;
    RunRecord record;
    read_run(layout, layout.state.run, Detail::kAll, record);
    EXPECT_LT(record.outcome, OutcomeKind::kCount);
    walk(record);
  }
}

TEST(WireReader, IgnoresAnEarlierRun) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire->layout().state.run = 3;
  wire->layout().state.steps = 9;
  RunRecord record;
  read_run(wire->layout(), 4, Detail::kAll, record);
  EXPECT_EQ(record.steps, 0u);
  read_run(wire->layout(), 3, Detail::kAll, record);
  EXPECT_EQ(record.steps, 9u);
}

TEST(WireReader, CopiesTimeoutsAndTheTimersOfDecisions) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  layout.state.timeouts = 3;
  layout.state.switches = layout.state.decisions = 1;
  layout.decisions[0].to = 2 | kTimerBit;
  RunRecord record;
  read_run(layout, 0, Detail::kAll, record);
  EXPECT_EQ(record.timeouts, 3u);
  EXPECT_EQ(record.decisions[0].to, 2 | kTimerBit);
}

TEST(WireReader, PutsTheRingInOrder) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  layout.state.run = 1;
  layout.state.events = wire::kMaxEvents + 5;
  for (uint64_t i = 0; i < wire::kMaxEvents + 5; ++i) layout.events[i % wire::kMaxEvents].step = i;
  RunRecord record;
  read_run(layout, 1, Detail::kAll, record);
  ASSERT_EQ(record.events.size(), wire::kMaxEvents);
  EXPECT_EQ(record.events_lost, 5u);
  EXPECT_EQ(record.events.front().step, 5u);
  EXPECT_EQ(record.events.back().step, wire::kMaxEvents + 4);
}

TEST(WireMemory, CannotBeResized) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  EXPECT_GE(wire->fd(), 100);
  EXPECT_NE(ftruncate(wire->fd(), 4096), 0);
  EXPECT_NE(ftruncate(wire->fd(), 1 << 30), 0);
}

}  // namespace
}  // namespace snarl::record
