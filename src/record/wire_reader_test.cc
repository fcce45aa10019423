#include "record/wire_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

// There are millions of them, too many for an expectation each.
bool is_sound(const RunRecord& record, const Event& event) {
  return event.kind < OpKind::kCount && event.after < OpKind::kCount && event.order < MemoryOrder::kCount &&
         event.switched < Reason::kCount && !is_timer_ordinal(event.thread) && event.block <= record.blocks.size() &&
         event.stack <= record.stacks.size();
}

// Walks over everything that a reader of the record would, so that ASan sees each index.
uint64_t walk(const RunRecord& record) {
  uint64_t sum = record.message.size();
  const auto stack = [&](uint32_t id) {
    ASSERT_LE(id, record.stacks.size());
    if (id == 0) return;
    const StackEntry& entry = record.stacks[id - 1];
    ASSERT_LE(entry.depth, wire::kStackDepth);
    for (uint32_t i = 0; i < entry.depth; ++i) sum += record.frames[entry.first + i];
  };
  EXPECT_EQ(std::ranges::count_if(record.events, [&](const Event& e) { return !is_sound(record, e); }), 0);
  for (uint32_t id = 1; id <= record.stacks.size(); ++id) stack(id);
  for (const wire::Thread& thread : record.threads) {
    EXPECT_LE(thread.phase, wire::ThreadPhase::kEnded);
    EXPECT_FALSE(is_timer_ordinal(thread.ordinal) || is_timer_ordinal(thread.creator));
    EXPECT_LT(std::strlen(thread.label), sizeof thread.label);
    stack(thread.stack);
  }
  for (const wire::Held& held : record.held) {
    EXPECT_FALSE(is_timer_ordinal(held.owner));
  }
  for (const wire::MisuseEntry& misuse : record.misuses) {
    EXPECT_LT(misuse.what.kind, MisuseKind::kCount);
    EXPECT_LT(misuse.what.op, OpKind::kCount);
    EXPECT_LT(misuse.what.other_op, OpKind::kCount);
    stack(misuse.stack);
  }
  EXPECT_FALSE(is_timer_ordinal(record.failing_thread));
  for (const wire::Module& module : record.modules) {
    EXPECT_LT(std::strlen(module.path), sizeof module.path);
    EXPECT_LE(module.build_id_size, sizeof module.build_id);
  }
  EXPECT_TRUE(std::ranges::all_of(record.decisions, [](const Decision& d) { return d.kind < OpKind::kCount; }));
  return sum;
}

TEST(WireReader, SurvivesRandomBytes) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  for (uint64_t round = 0; round < 10; ++round) {
    Rng rng(round);
    trash(layout.state, rng);
    trash(layout.modules, rng);
    trash(layout.threads, rng);
    trash(layout.held, rng);
    trash(layout.misuses, rng);
    for (size_t i = 0; i < 2000; ++i) trash(layout.events[i], rng), trash(layout.decisions[i], rng);
    for (size_t i = 0; i < 100; ++i) trash(layout.stacks[i], rng);
    if (round % 2 == 0) layout.state.frames = 100;
    if (round % 3 != 0) layout.state.stacks = 100;
    if (round % 5 == 0) layout.state.events = 1000, layout.state.blocks = 7;
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

TEST(WireReader, SurvivesARandomOrderOfAParallelRun) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  for (uint64_t round = 0; round < 50; ++round) {
    Rng rng(round);
    for (size_t i = 0; i < 2000; ++i) trash(layout.events[i], rng);
    for (size_t i = 0; i < 8; ++i)
      layout.chunk_owner[i] = static_cast<uint32_t>(rng.below(2) ? rng.below(6) : rng.next());
    layout.state.parallel = 1;
    layout.state.threads = 5;
    for (size_t i = 0; i < 5; ++i) layout.threads[i].steps = rng.below(2) ? rng.below(600) : rng.next();
    layout.state.chunks = static_cast<uint32_t>(rng.below(2) ? rng.below(8) : rng.next());
    RunRecord record;
    read_run(layout, 0, Detail::kAll, record);
    walk(record);
    EXPECT_TRUE(std::ranges::is_sorted(record.events, {}, &Event::step));
    for (const Event& event : record.events) ASSERT_LT(event.thread, 5u) << "whose chunk it is";
  }
}

// Two threads whose chunks alternate; the second one's last is half full.
TEST(WireReader, PutsChunksInOrderOfTime) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  layout.state.parallel = 1;
  layout.state.threads = 2;
  layout.state.chunks = 4;
  const uint64_t steps[2] = {2 * wire::kChunk, wire::kChunk + wire::kChunk / 2};
  for (uint32_t t = 0; t < 2; ++t) layout.threads[t].steps = steps[t];
  for (uint32_t chunk = 0; chunk < 4; ++chunk) {
    layout.chunk_owner[chunk] = chunk % 2;
    for (uint32_t i = 0; i < wire::kChunk; ++i) {
      Event& event = layout.events[chunk * wire::kChunk + i];
      event.step = 2 * (chunk / 2 * wire::kChunk + i) + chunk % 2;
      event.pc = event.step;
    }
  }
  RunRecord record;
  read_run(layout, 0, Detail::kAll, record);
  ASSERT_EQ(record.events.size(), steps[0] + steps[1]);
  EXPECT_EQ(record.events_lost, 0u);
  for (uint32_t i = 0; i < 2 * steps[1]; ++i) {
    ASSERT_EQ(record.events[i].pc, i);
    ASSERT_EQ(record.events[i].thread, i % 2);
  }
  layout.threads[1].steps += 1000;
  read_run(layout, 0, Detail::kAll, record);
  EXPECT_EQ(record.events_lost, 1000 - wire::kChunk / 2) << "of more than its chunks hold";
  EXPECT_FALSE(record.decisions_cut);
  layout.state.chunks = wire::kMaxChunks + 1;
  read_run(layout, 0, Detail::kAll, record);
  EXPECT_TRUE(record.decisions_cut);
}

TEST(WireReader, AnEventComesOutAsItWentIn) {
  Expected<WireMemory> wire = WireMemory::create();
  ASSERT_TRUE(wire);
  wire::Layout& layout = wire->layout();
  Event event;
  event.step = 1, event.object = ~uint64_t{2}, event.value = ~uint64_t{3}, event.pc = ~uint64_t{4};
  event.thread = Event::kMostThreads;
  event.order = MemoryOrder::kSequential;
  event.switched = Reason::kYielded;
  event.late = true;
  event.stack = 1;
  event.block = 2;
  event.size = ~uint32_t{5};
  event.kind = OpKind::kAfter;
  event.after = OpKind::kFree;
  event.result = -1;
  layout.state.events = layout.state.stacks = 1;
  layout.state.blocks = 2;
  layout.state.frames = 2;
  layout.stacks[0] = {0, 2};
  layout.frames[0] = 10, layout.frames[1] = 20;
  layout.events[0] = event;
  RunRecord record;
  read_run(layout, 0, Detail::kAll, record);
  ASSERT_EQ(record.events.size(), 1u);
  EXPECT_EQ(std::memcmp(&record.events[0], &event, sizeof event), 0);
  EXPECT_THAT(record.stack(1), testing::ElementsAre(10, 20));
  layout.state.frames = 1;
  read_run(layout, 0, Detail::kAll, record);
  EXPECT_THAT(record.stack(1), testing::ElementsAre(10)) << "the part that is there";
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
