#include "explain/diagnose/misuse.h"

#include <algorithm>

#include "explain/signature.h"

namespace snarl::explain {
namespace {

// An operation that tells what kind of object it is.
OpKind op_on_object(const Misuse& m) {
  if (m.kind == MisuseKind::kWaitNotOwner || m.op == OpKind::kReacquire) return OpKind::kLock;
  return m.kind == MisuseKind::kExitHolding ? m.other_op : m.op;
}

struct OtherPlace {
  OpKind op = OpKind::kNone;
  uint32_t thread = kNobody;
  StackRef stack = {};
};

// Where the model did not know the other place: the last unlock of the object, or where the semaphore got its first
// value.
bool explains(const Misuse& m, const Event& e) {
  if (m.other_op != OpKind::kNone || e.object != m.object) return false;
  if (m.kind == MisuseKind::kUnlockNotLocked) return e.kind == OpKind::kUnlock || e.kind == OpKind::kRwUnlock;
  return m.kind == MisuseKind::kSemaphoreOverflow && e.kind == OpKind::kSemInit;
}

bool is_at_other_place(const Misuse& m, const Event& e) {
  return m.other_pc != 0 && e.pc == m.other_pc && e.thread == m.other && e.kind != OpKind::kAfter &&
         (m.other_op != OpKind::kFree || e.object == m.object);
}

// With its callers, where the events have it. The last event is the misuse itself.
OtherPlace find_other(const Misuse& m, const std::vector<Event>& events) {
  for (auto e = events.rbegin(); e != events.rend(); ++e) {
    if (is_at_other_place(m, *e)) return {m.other_op, e->thread, stack_of(*e)};
    if (e != events.rbegin() && explains(m, *e)) return {e->kind, e->thread, stack_of(*e)};
  }
  return {m.other_op, m.other, {.pc = m.other_pc}};
}

struct AccessOfRace {
  uint32_t thread;
  OpKind op;
  uint64_t address, size;
  StackRef stack;
  std::span<const uint64_t> locks;
};

void add_access(report::Finding& f, const AccessOfRace& access, uint64_t object, Places& places, ObjectTable& objects) {
  report::FindingDeed deed{report::DeedKind::kAccess, access.thread, access.op};
  deed.place = places.fault_place(access.stack);
  deed.stack = places.stack(access.stack);
  deed.size = access.size;
  deed.offset = access.address > object ? access.address - object : 0;
  for (const uint64_t lock : access.locks)
    if (lock != 0) deed.locks.push_back(objects.object(lock, ObjectKind::kMutex, deed.place));
  f.deeds.push_back(std::move(deed));
}

void add_creation(report::Finding& f, const record::RunRecord& r, uint32_t ordinal, Places& places) {
  const auto at = std::ranges::find(r.threads, ordinal, &wire::Thread::ordinal);
  if (ordinal == 0 || at == r.threads.end() || at->create_pc == 0) return;
  report::FindingDeed deed{report::DeedKind::kCreated, ordinal, OpKind::kCreate};
  deed.place = places.place_in_user_code(at->create_pc);
  deed.creator = at->creator;
  f.deeds.push_back(std::move(deed));
}

void add_weak(report::Finding& f, report::DeedKind kind, OpKind op, uint64_t pc, MemoryOrder order, uint64_t address,
              Places& places, ObjectTable& objects) {
  report::FindingDeed deed{kind, kNobody, op};
  deed.place = places.place(pc);
  deed.object = objects.object(address, ObjectKind::kNone, deed.place);
  deed.order = order;
  f.deeds.push_back(std::move(deed));
}

void add_weak_order(report::Finding& f, const WeakOrder& weak, Places& places, ObjectTable& objects) {
  f.misuse.weak = weak.is_one == 1;
  if (weak.address == 0) return;
  add_weak(f, report::DeedKind::kWeakLoad, OpKind::kAtomicLoad, weak.load_pc, weak.load, weak.address, places, objects);
  add_weak(f, report::DeedKind::kWeakStore, OpKind::kAtomicStore, weak.store_pc, weak.store, weak.address, places,
           objects);
}

// Both accesses, as both threads stood there; then where the threads come from.
void fill_race(report::Finding& f, const record::RunRecord& r, const wire::MisuseEntry& e, Places& places,
               ObjectTable& objects) {
  const Misuse& m = e.what;
  const uint64_t object = std::min(m.object, e.other_object);
  f.place = places.fault_place(stack_of(e));
  f.failing_thread = m.thread;
  f.misuse = {.kind = m.kind, .op = m.op, .other_op = m.other_op, .thread = m.thread, .other = m.other};
  f.misuse.object = objects.object(object, ObjectKind::kNone, f.place);
  add_access(f, {m.thread, m.op, m.object, e.size, stack_of(e), e.locks}, object, places, objects);
  add_access(f, {m.other, m.other_op, e.other_object, e.other_size, {e.other_stack, m.other_pc}, e.other_locks}, object,
             places, objects);
  f.misuse.other_place = f.deeds.back().place;
  add_weak_order(f, e.weak, places, objects);
  add_creation(f, r, m.thread, places);
  add_creation(f, r, m.other, places);
}

// Who used it, and who freed it.
void fill_freed(report::Finding& f, const record::RunRecord& r, const wire::MisuseEntry& e, Places& places,
                ObjectTable& objects) {
  const Misuse& m = e.what;
  f.place = places.fault_place(stack_of(e));
  f.failing_thread = m.thread;
  f.misuse = {.kind = m.kind, .op = m.op, .other_op = m.other_op, .thread = m.thread, .other = m.other};
  f.misuse.object = objects.object(m.object, ObjectKind::kNone, f.place);
  if (m.op == OpKind::kFree)
    f.deeds.push_back({report::DeedKind::kFreed, m.thread, m.op, f.place, places.stack(stack_of(e))});
  else
    add_access(f, {m.thread, m.op, m.object, e.size, stack_of(e), e.locks}, m.object, places, objects);
  const StackRef freed{e.other_stack, m.other_pc};
  f.misuse.other_place = places.fault_place(freed);
  f.deeds.push_back({report::DeedKind::kFreed, m.other, m.other_op, f.misuse.other_place, places.stack(freed)});
  add_creation(f, r, m.thread, places);
  if (m.other != m.thread) add_creation(f, r, m.other, places);
}

}  // namespace

void fill_misuse(report::Finding& f, const record::RunRecord& r, const wire::MisuseEntry& entry, Places& places,
                 ObjectTable& objects) {
  const Misuse& m = entry.what;
  if (m.kind == MisuseKind::kRace) return fill_race(f, r, entry, places, objects);
  if (is_use_of_freed_memory(m)) return fill_freed(f, r, entry, places, objects);
  f.place = places.place(stack_of(entry));
  f.failing_thread = m.thread;
  f.misuse = {.kind = m.kind, .op = m.op, .other_op = m.other_op, .shape = m.shape, .thread = m.thread};
  f.misuse.other = m.other;
  f.misuse.joined = m.joined;
  f.misuse.object_kind = object_of(op_on_object(m));
  if (f.misuse.object_kind != ObjectKind::kNone)
    f.misuse.object = objects.object(m.object, f.misuse.object_kind, f.place);
  if (m.other_pc != 0) f.misuse.other_place = places.place(m.other_pc);
  f.deeds.push_back({report::DeedKind::kWrongCall, m.thread, m.op, f.place, places.stack(stack_of(entry))});
  const OtherPlace other = find_other(m, r.events);
  if (other.op == OpKind::kNone) return;
  f.deeds.push_back(
      {report::DeedKind::kWhatMadeItSo, other.thread, other.op, places.place(other.stack), places.stack(other.stack)});
}

}  // namespace snarl::explain
