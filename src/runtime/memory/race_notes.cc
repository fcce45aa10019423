#include "runtime/memory/race_notes.h"

#include "base/state_marks.h"
#include "runtime/state/state.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/stacks.h"

namespace snarl::runtime::race_notes {
namespace {

constexpr uint32_t kMostNoted = 32;  // of the wire's table: other misuse needs room, too

SNARL_RUN_STATE uint32_t noted;

MisuseKind kind_of(const OtherAccess& other) {
  return other.kind == OpKind::kFree ? MisuseKind::kUseAfterFree : MisuseKind::kRace;
}

bool is_known(const Op& op, const OtherAccess& other) {
  const wire::Layout& wire = *engine::shared;
  const uint32_t count = wire.state.misuses.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < count && i < wire::kMaxMisuses; ++i) {
    const Misuse& m = wire.misuses[i].what;
    if (m.kind != kind_of(other)) continue;
    if (m.pc == op.pc && m.op == op.kind && m.other_pc == other.pc && m.other_op == other.kind) return true;
    if (m.pc == other.pc && m.op == other.kind && m.other_pc == op.pc && m.other_op == op.kind) return true;
  }
  return false;
}

void write_locks(uint32_t ordinal, uint64_t (&locks)[wire::kRaceLocks]) {
  uint32_t count = 0;
  engine::conductor().model().objects().for_each([&](const model::Object& object) {
    bool holds = !object.mutex.is_free() && object.owner_ordinal == ordinal;
    for (uint8_t i = 0; i < object.rwlock.holders.count; ++i)
      holds |= object.rwlock.holders.known[i].ordinal == ordinal;
    if (holds && count < wire::kRaceLocks) locks[count++] = object.address;
  });
}

}  // namespace

void begin() { noted = 0; }

// An entry is complete before it is counted.
void note(Thread& self, const Op& op, const OtherAccess& other, const WeakOrder& weak) {
  wire::State& state = engine::shared->state;
  const uint32_t at = state.misuses.load(std::memory_order_relaxed);
  if (noted == kMostNoted || at >= wire::kMaxMisuses || is_known(op, other)) return;
  ++noted;
  ++self.inside;  // who unwinds calls libc, and that is no point
  wire::MisuseEntry& entry = engine::shared->misuses[at];
  entry = {.what = {.kind = kind_of(other),
                    .op = op.kind,
                    .other_op = other.kind,
                    .thread = self.ordinal,
                    .other = other.thread,
                    .object = op.object,
                    .pc = op.pc,
                    .other_pc = other.pc},
           .step = engine::conductor().step(),
           .events = state.events + 1,
           .stack = write_stack(op.pc, wire::kStackDepth),
           .other_stack = other.stack,
           .other_object = other.address,
           .size = static_cast<uint32_t>(op.value),
           .other_size = other.size,
           .weak = weak};
  write_locks(self.ordinal, entry.locks);
  if (other.stands_there) write_locks(other.thread, entry.other_locks);
  state.misuses.store(at + 1, std::memory_order_release);
  snarl_debug_misuse(name_of(kind_of(other)));
  --self.inside;
}

}  // namespace snarl::runtime::race_notes
