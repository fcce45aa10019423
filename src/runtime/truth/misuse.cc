#include "runtime/truth/misuse.h"

#include "base/state_marks.h"
#include "runtime/state/state.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/stacks.h"
#include "runtime/truth/misuse_truth.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

constexpr uint32_t kMostHeld = 8;  // of one kind that a run writes down: they must leave room for others

struct HeldByOther {
  uint64_t object, pc;
  uint32_t owner;
};

// Of a copy of the process that the program has made.
SNARL_PROCESS_STATE HeldByOther lost_locks[kMostHeld];
SNARL_PROCESS_STATE uint32_t lost_count;
SNARL_PROCESS_STATE uint32_t copied_by;   // ordinal of the thread that made it
SNARL_PROCESS_STATE uint64_t copied_run;  // while this run lasts, the copy may write into the wire
SNARL_PROCESS_STATE bool is_copy;

bool watches() { return engine::conductor().model().watches_misuse(); }

// What else goes wrong with an object that was misused before is, most likely, a consequence.
bool is_same(const Misuse& a, const Misuse& b) {
  if (a.kind == MisuseKind::kRace) return false;
  if (is_failure(a.kind) && is_failure(b.kind)) return a.object == b.object;
  return a.kind == b.kind && a.pc == b.pc && a.other_pc == b.other_pc;
}

bool is_known(const Misuse& misuse) {
  const uint32_t count = engine::shared->state.misuses.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count && i < wire::kMaxMisuses; ++i)
    if (is_same(engine::shared->misuses[i].what, misuse)) return true;
  return false;
}

// An entry is complete before it is counted, unless a copy of the process writes at the same moment.
wire::MisuseEntry* add(const Misuse& misuse) {
  wire::State& state = engine::shared->state;
  const uint32_t at = state.misuses.load(std::memory_order_relaxed);
  if (at >= wire::kMaxMisuses) return nullptr;
  engine::shared->misuses[at] = {.what = misuse, .step = engine::conductor().step()};
  state.misuses.store(at + 1, std::memory_order_release);
  return &engine::shared->misuses[at];
}

template <typename F>
void for_each_held(F&& f) {
  engine::conductor().model().objects().for_each([&](const model::Object& object) {
    if (!object.mutex.is_free()) f(object.address, object.mutex.pc, object.owner_ordinal, OpKind::kLock);
    const OpKind kind = object.rwlock.writer != kNoThread ? OpKind::kWriteLock : OpKind::kReadLock;
    for (uint8_t i = 0; i < object.rwlock.holders.count; ++i)
      f(object.address, object.rwlock.holders.known[i].pc, object.rwlock.holders.known[i].ordinal, kind);
  });
}

}  // namespace

void note_misuse(const Misuse& misuse, uint64_t events_to_come) {
  if (!watches() || is_known(misuse)) return;
  wire::MisuseEntry* entry = add(misuse);
  if (entry == nullptr) return;
  entry->stack = write_stack(misuse.pc, wire::kStackDepth);
  entry->events = engine::shared->state.events + events_to_come;
  snarl_debug_misuse(name_of(misuse.kind));
}

bool consider_misuse(Thread& self, const Misuse& misuse) {
  const bool is_true = is_borne_out(misuse, self.tid);
  const bool was_gone = misuse.kind == MisuseKind::kUseAfterDestroy || misuse.kind == MisuseKind::kUseAfterFree;
  if (is_true) note_misuse(misuse, 1);
  if (!is_true && was_gone) engine::conductor().model().forget_destroyed(misuse.object);
  return is_true;
}

void note_use_of_destroyed(Thread& self, OpKind op, const void* object, uint64_t pc) {
  const uint64_t address = reinterpret_cast<uint64_t>(object);
  const model::Destroyed* destroyed = engine::conductor().model().destroyed(address);
  if (destroyed == nullptr || destroyed->kind != object_of(op)) return;
  note_misuse({.kind = MisuseKind::kUseAfterDestroy,
               .op = op,
               .other_op = OpKind::kMutexDestroy,
               .thread = self.ordinal,
               .other = destroyed->thread,
               .object = address,
               .pc = pc,
               .other_pc = destroyed->pc});
}

void note_held_at_exit(Thread& self, uint64_t pc) {
  if (!watches()) return;
  uint32_t noted = 0;
  for_each_held([&](uint64_t object, uint64_t taken_at, uint32_t owner, OpKind how) {
    if (noted++ == kMostHeld) return;
    note_misuse({.kind = MisuseKind::kExitHolding,
                 .op = OpKind::kEndProcess,
                 .other_op = how,
                 .thread = self.ordinal,
                 .other = owner,
                 .object = object,
                 .pc = pc,
                 .other_pc = taken_at});
  });
}

void remember_held(const Thread& self) {
  lost_count = 0;
  if (!watches()) return;
  copied_by = self.ordinal;
  copied_run = engine::shared->state.run;
  for_each_held([&](uint64_t object, uint64_t taken_at, uint32_t owner, OpKind how) {
    if (owner != self.ordinal && how == OpKind::kLock && lost_count < kMostHeld)
      lost_locks[lost_count++] = {object, taken_at, owner};
  });
}

void become_copy() { is_copy = true; }

// That a thread which the copy lacks holds a lock is not a mistake: it may go on to exec, or reset it. To wait for it
// is.
void look_at_lock_in_copy(const pthread_mutex_t* mutex, uint64_t pc) {
  if (!is_copy || mutex->__data.__lock == 0) return;
  for (uint32_t i = 0; i < lost_count; ++i) {
    const Misuse misuse{.kind = MisuseKind::kForkHolding,
                        .op = OpKind::kLock,
                        .other_op = OpKind::kLock,
                        .thread = copied_by,
                        .other = lost_locks[i].owner,
                        .object = lost_locks[i].object,
                        .pc = pc,
                        .other_pc = lost_locks[i].pc};
    if (misuse.object != reinterpret_cast<uint64_t>(mutex) || engine::shared->state.run != copied_run) continue;
    if (!is_known(misuse)) add(misuse);
  }
}

}  // namespace snarl::runtime
