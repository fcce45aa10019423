#include "runtime/memory/races.h"

#include <sys/mman.h>

#include <bit>
#include <new>

#include "base/large.h"
#include "base/state_marks.h"
#include "detect/detector.h"
#include "detect/lock_order.h"
#include "runtime/memory/instrumented.h"
#include "runtime/memory/race_notes.h"
#include "runtime/memory/sharing.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "runtime/trace/modules.h"
#include "runtime/trace/stacks.h"

namespace snarl::runtime::races {

SNARL_RUN_STATE bool is_on = false;

namespace {

using detect::Cell;
using detect::Detector;
using detect::Sync;
using detect::Time;

constexpr size_t kClocks = size_t{1} << 22, kCells = size_t{1} << 20, kSyncs = size_t{1} << 16;
constexpr size_t kEdges = 1024;

// Everything in one piece, which costs nothing until it is touched.
struct Area {
  alignas(4096) unsigned char detector[sizeof(Detector)];
  alignas(4096) Time clocks[kClocks];
  alignas(4096) Cell cells[kCells];
  alignas(4096) Sync syncs[kSyncs];
  alignas(4096) unsigned char lock_order[sizeof(detect::LockOrder)];
  alignas(4096) detect::LockEdge edges[kEdges];
  alignas(4096) uint32_t stacks[kCells * detect::kRecords];  // of each record, where it matters
};

SNARL_PROCESS_STATE Area* area;
SNARL_PROCESS_STATE bool used;  // by a run of this process
SNARL_PROCESS_STATE bool left_out;
SNARL_PROCESS_STATE bool knows_allocations = true;
SNARL_RUN_STATE Detector* detector;
SNARL_RUN_STATE detect::LockOrder* lock_order;
SNARL_RUN_STATE bool traced, keeps_stacks;  // of frees; of accesses, too

// Blocks that the program has freed and the allocator has not got back yet, the oldest first: a ring.
constexpr uint32_t kMostHeld = 1024;
constexpr uint64_t kLargestHeld = 4096, kLargestMarked = uint64_t{1} << 16;  // bytes; larger ones are mapped mostly
SNARL_RUN_STATE uint64_t held[kMostHeld];
SNARL_RUN_STATE uint32_t held_count;

// Pairs that were listed, by a hash: most races come again and again.
constexpr size_t kSeen = 256;
struct Pair {
  uint64_t pc, other_pc;
  bool weak;
};
SNARL_RUN_STATE Pair seen[kSeen];

bool is_wanted() {
  const RunSettings& settings = engine::shared->command.settings;
  return settings.races && !settings.parallel;
}

void construct() {
  new (area->detector) Detector({area->clocks, area->cells, area->syncs});
  (new (area->lock_order) detect::LockOrder(area->edges))->created(kMainThread);
}

OpKind kind_of(const detect::Record& record) {
  if (record.atomic) return record.write ? OpKind::kAtomicStore : OpKind::kAtomicLoad;
  return record.write ? OpKind::kWrite : OpKind::kRead;
}

bool is_listed(const wire::RaceEntry& race) {
  const wire::Layout& wire = *engine::shared;
  for (uint32_t i = 0; i < wire.state.races && i < wire::kMaxRaces; ++i) {
    const wire::RaceEntry& other = wire.races[i];
    if (other.pc == race.pc && other.other_pc == race.other_pc && other.op == race.op &&
        other.other_op == race.other_op && other.weak.is_one == race.weak.is_one)
      return true;
  }
  return false;
}

// A stack passes from a thread that has ended to another without a call that we see.
bool is_reused_stack(const detect::Race& race, uint64_t address) {
  return race.gone && sharing::is_on_own_stack(address);
}

// Of its cells, each of which has its granule, its links and then its records.
uint32_t& stack_of(const detect::Record& record) {
  const size_t at = reinterpret_cast<uint64_t>(&record) - reinterpret_cast<uint64_t>(area->cells);
  const size_t nth = (at % sizeof(Cell) - offsetof(Cell, records)) / sizeof record;
  return area->stacks[at / sizeof(Cell) * detect::kRecords + nth];
}

void keep_stack(const detect::Record& record) {
  uint64_t frames[wire::kEventDepth] = {record.pc};
  stack_of(record) = id_of_stack({frames, 1 + instrumented::copy_callers(frames + 1, wire::kEventDepth - 1)});
}

WeakOrder weak_order_of(const Thread& self, const detect::Race& race) {
  if (!race.weak) return {};
  const detect::WeakLink* link = detector->link_of(self.id, race);
  if (link == nullptr) return {.is_one = 1};
  return {.is_one = 1,
          .load = link->load,
          .store = link->store,
          .address = link->address,
          .load_pc = link->load_pc,
          .store_pc = link->store_pc};
}

// The other access is long past. Whether all code tells of its accesses is known of files that are listed.
void note_weak(Thread& self, const detect::Race& race, const detect::Access& access, const wire::RaceEntry& entry) {
  const Op op{.kind = entry.op, .object = access.address, .value = access.size, .pc = access.pc};
  const auto first = static_cast<uint64_t>(std::countr_zero(race.earlier.bytes));
  list_new_modules();
  race_notes::note(self, op,
                   {.thread = entry.other,
                    .kind = entry.other_op,
                    .pc = race.earlier.pc,
                    .address = entry.address + first,
                    .size = static_cast<uint32_t>(std::popcount(race.earlier.bytes)),
                    .stack = keeps_stacks ? stack_of(*race.kept) : 0},
                   entry.weak);
}

void note_freed(Thread& self, const Op& op, const detect::Record& freed) {
  race_notes::note(self, op,
                   {.thread = thread_at(freed.slot).ordinal,
                    .kind = OpKind::kFree,
                    .pc = freed.pc,
                    .stack = traced ? stack_of(freed) : 0});
}

bool list(Thread& self, const detect::Race& race, const detect::Access& access, OpKind kind) {
  if (race.freed) {
    note_freed(self, Op{.kind = kind, .object = access.address, .value = access.size, .pc = access.pc}, *race.kept);
    return true;
  }
  if (is_reused_stack(race, access.address)) return false;
  Pair& pair = seen[mix64(access.pc ^ race.earlier.pc << 1) & (kSeen - 1)];
  if (pair.pc == access.pc && pair.other_pc == race.earlier.pc && pair.weak == race.weak) return true;
  pair = {access.pc, race.earlier.pc, race.weak};
  wire::Layout& wire = *engine::shared;
  const wire::RaceEntry entry{.pc = access.pc,
                              .other_pc = race.earlier.pc,
                              .address = race.granule << 3,
                              .step = engine::conductor().step(),
                              .thread = self.ordinal,
                              .other = thread_at(race.earlier.slot).ordinal,
                              .op = kind,
                              .other_op = kind_of(race.earlier),
                              .weak = weak_order_of(self, race)};
  if (race.weak && wire.command.settings.weak_races) note_weak(self, race, access, entry);
  if (wire.state.races < wire::kMaxRaces && !is_listed(entry)) wire.races[wire.state.races++] = entry;
  return true;
}

// Both second locks, as a pair of places: neither is an access.
void list_inversion(const Thread& self, const Op& op, const detect::LockEdge& earlier) {
  wire::Layout& wire = *engine::shared;
  const wire::RaceEntry entry{.pc = op.pc,
                              .other_pc = earlier.pc,
                              .address = earlier.held,
                              .step = engine::conductor().step(),
                              .thread = self.ordinal,
                              .other = thread_at(earlier.slot).ordinal,
                              .op = OpKind::kLock,
                              .other_op = OpKind::kLock};
  if (wire.state.races < wire::kMaxRaces && !is_listed(entry)) wire.races[wire.state.races++] = entry;
}

void order_locks(const Thread& self, const Op& op) {
  const auto tell = [&](const detect::LockEdge& earlier) { list_inversion(self, op, earlier); };
  switch (op.kind) {
    case OpKind::kLock: return lock_order->taken(self.id, op.object, op.pc, tell);
    case OpKind::kReacquire: return lock_order->taken(self.id, op.second, op.pc, tell);
    case OpKind::kTryLock: return lock_order->hold(self.id, op.object);
    case OpKind::kUnlock: return lock_order->given_back(self.id, op.object);
    case OpKind::kWait: return lock_order->given_back(self.id, op.second);
    default: return;
  }
}

void tell(Thread& self, OpKind kind, const detect::Access& access) {
  detector->access(
      self.id, access, [&](const detect::Race& race) { return list(self, race, access, kind); },
      [](const detect::Record& record) {
        if (__builtin_expect(keeps_stacks, 0)) keep_stack(record);
      });
  if (__builtin_expect(detector->is_full(), 0)) engine::shared->state.races_cut = 1;
}

}  // namespace

void prepare() {
  if (area != nullptr || !is_wanted()) return;
  void* const at = map_own_memory(sizeof(Area));
  if (at == nullptr) return;
  raw::call(SYS_madvise, at, sizeof(Area), MADV_NOHUGEPAGE);
  area = static_cast<Area*>(at);
  construct();
}

void begin_library(bool shared) {
  left_out = shared;
  knows_allocations = false;
}

// Most runs are a fresh copy of the process, where all is as it was reserved.
void begin() {
  is_on =
      is_wanted() && area != nullptr && !left_out && engine::shared->state.hooked.load(std::memory_order_relaxed) != 0;
  if (!is_on) return;
  if (used) {
    raw::call(SYS_madvise, area, sizeof(Area), MADV_DONTNEED);
    construct();
  }
  detector = reinterpret_cast<Detector*>(area->detector);
  lock_order = reinterpret_cast<detect::LockOrder*>(area->lock_order);
  const RunSettings& settings = engine::shared->command.settings;
  traced = settings.trace;
  keeps_stacks = traced && settings.weak_races;
  held_count = 0;
  used = true;
}

void access(Thread& self, OpKind kind, uint64_t pc, uint64_t address, uint64_t size) {
  tell(self, kind, {.address = address, .size = size, .pc = pc, .write = kind == OpKind::kWrite});
}

void atomic(Thread& self, OpKind kind, MemoryOrder order, uint64_t pc, uint64_t address, uint32_t size) {
  if (kind == OpKind::kFence) return detector->fence(self.id, order);
  const detect::Access access{
      .address = address, .size = size, .pc = pc, .write = kind != OpKind::kAtomicLoad, .atomic = true};
  if (kind != OpKind::kAtomicStore) detector->load(self.id, address, order, pc);
  tell(self, kind, access);
  if (kind == OpKind::kAtomicStore) detector->store(self.id, address, order, pc);
  if (kind == OpKind::kAtomicRmw) detector->update(self.id, address, order, pc);
}

void performed(const Thread& self, const Op& op, int result) {
  detector->performed(self.id, op, result);
  if (result == 0) order_locks(self, op);
}
void created(const Thread& creator, const Thread& child) {
  detector->created(creator.id, child.id);
  lock_order->created(child.id);
}
void ended(const Thread& thread) {
  detector->ended(thread.id);
  lock_order->ended(thread.id);
}
void once_done(const Thread& self, uint64_t object) { detector->once_done(self.id, object); }

void forget(uint64_t address, uint64_t size) { detector->forget(address, size); }

void given_back(uint64_t address, uint64_t size) {
  if (detector->freed_at(address) == nullptr) forget(address, size);
}

// Without memory points nobody tells of what is allocated. The run's index decides, so a replay does the same.
uint64_t freed(Thread& self, uint64_t address, uint64_t size, uint64_t pc) {
  const wire::Command& command = engine::shared->command;
  if (!knows_allocations || !has_memory_points(command.settings.points) || size > kLargestMarked) return address;
  if (const detect::Record* before = detector->freed_at(address)) {
    note_freed(self, Op{.kind = OpKind::kFree, .object = address, .pc = pc}, *before);
    return address;
  }
  detector->free(self.id, address, size, pc, [](const detect::Record& record) {
    if (__builtin_expect(traced, 0)) keep_stack(record);
  });
  if (command.key.index % 4 != 3 || size > kLargestHeld) return address;
  uint64_t& place = held[held_count % kMostHeld];
  const uint64_t oldest = held_count++ < kMostHeld ? 0 : place;
  place = address;
  return oldest;
}

}  // namespace snarl::runtime::races
