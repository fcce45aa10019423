#include "explain/diagnose/misuse.h"

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

}  // namespace

void fill_misuse(report::Finding& f, const record::RunRecord& r, const wire::MisuseEntry& entry, Places& places,
                 ObjectTable& objects) {
  const Misuse& m = entry.what;
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
