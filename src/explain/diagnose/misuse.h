// A misuse in words, with both places. Internal to diagnose.cc.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "explain/diagnose/names.h"
#include "report/text/location_text.h"
#include "report/text/paragraphs.h"

namespace snarl::explain {

// "locks", for the one who does it.
inline std::string does(OpKind op) {
  switch (op) {
    case OpKind::kTryLock: return "tries to lock";
    case OpKind::kReadLock: return "read locks";
    case OpKind::kTryReadLock: return "tries to read lock";
    case OpKind::kWriteLock: return "write locks";
    case OpKind::kTryWriteLock: return "tries to write lock";
    case OpKind::kUnlock:
    case OpKind::kRwUnlock: return "unlocks";
    case OpKind::kWait:
    case OpKind::kSemWait: return "waits on";
    case OpKind::kSemTryWait: return "tries to take";
    case OpKind::kBarrierWait:
    case OpKind::kBarrierPass: return "waits at";
    case OpKind::kBroadcast: return "broadcasts to";
    case OpKind::kDetach: return "detaches";
    case OpKind::kEndProcess: return "ends the process";
    case OpKind::kReacquire: return "locks";
    default: return Wording::verb_of(op) == "destroy" ? "destroys" : Wording::verb_of(op) + "s";
  }
}

// "locked", for what was done before; somebody who waits still does.
inline std::string did(OpKind op) {
  switch (op) {
    case OpKind::kLock: return "locked";
    case OpKind::kReadLock: return "read locked";
    case OpKind::kWriteLock: return "write locked";
    case OpKind::kUnlock:
    case OpKind::kRwUnlock: return "unlocked";
    case OpKind::kJoin: return "joined";
    case OpKind::kDetach: return "detached";
    case OpKind::kCreate: return "created";
    case OpKind::kSemInit: return "initialised";
    case OpKind::kFree: return "freed the memory of";
    default: return Wording::verb_of(op) == "destroy" ? "destroyed" : does(op);
  }
}

class MisuseWords {
 public:
  MisuseWords(const record::RunRecord& record, const wire::MisuseEntry& entry, Places& places, Wording& wording)
      : r_(record), m_(entry.what), entry_(entry), places_(places), wording_(wording) {}

  // Without names and numbers.
  std::string headline() const {
    switch (m_.kind) {
      case MisuseKind::kUnlockNotOwner: return "unlock by another thread";
      case MisuseKind::kUnlockNotLocked: return "unlock of an unlocked " + noun();
      case MisuseKind::kWaitNotOwner: return "condition wait without the mutex";
      case MisuseKind::kDestroyLocked: return "destroy of a locked " + noun();
      case MisuseKind::kDestroyWaited: return "destroy of a " + noun() + " in use";
      case MisuseKind::kUseAfterDestroy: return "use of a destroyed " + noun();
      case MisuseKind::kUseAfterFree: return "use of a " + noun() + " in freed memory";
      case MisuseKind::kJoinSelf: return "join of itself";
      case MisuseKind::kJoinTwice: return "second join";
      case MisuseKind::kJoinDetached: return "join of a detached thread";
      case MisuseKind::kSemaphoreOverflow: return "semaphore overflow";
      case MisuseKind::kCondvarTwoMutexes: return "condition variable with two mutexes";
      case MisuseKind::kForkHolding: return "lock held across fork";
      case MisuseKind::kExitHolding: return "exit with a lock held";
      default: return "misuse";
    }
  }

  void fill(report::Finding& f) {
    find_other();
    f.headline = headline();
    f.place = place();
    f.failing_thread = m_.thread;
    f.message = sentence(f);
    f.deeds.push_back(
        {who(f, m_.thread) + " " + (m_.kind == MisuseKind::kWaitNotOwner ? "waits with" : does(m_.op)) + of(true),
         place(), stack()});
    if (other_op_ == OpKind::kNone) return;
    const std::string past = m_.kind == MisuseKind::kJoinSelf ? who(f, m_.other) + " created it"
                                                              : who(f, other_) + " " + did(other_op_) + of(false);
    f.deeds.push_back({past, places_.place(other_stack_, other_pc_), places_.stack(other_stack_, other_pc_)});
  }

  std::string sentence(const report::Finding& f) {
    const std::string it = who(f, m_.thread), other = who(f, m_.other), thing = noun() + " " + object();
    switch (m_.kind) {
      case MisuseKind::kUnlockNotOwner: return it + " unlocks " + thing + ", which " + other + " holds.";
      case MisuseKind::kUnlockNotLocked: return it + " unlocks " + thing + ", which nobody holds.";
      case MisuseKind::kWaitNotOwner:
        return it + " waits with " + thing + ", which " + (m_.other == kNobody ? "nobody" : other) + " holds.";
      case MisuseKind::kDestroyLocked: return it + " destroys " + thing + ", which " + other + " holds.";
      case MisuseKind::kDestroyWaited:
        return it + " destroys " + thing + ", which " + other + " waits on or will lock again.";
      case MisuseKind::kUseAfterDestroy:
        return it + " " + does(m_.op) + " " + thing + " after " + other + " has destroyed it.";
      case MisuseKind::kUseAfterFree:
        return it + " " + does(m_.op) + " " + thing + ", whose memory " + other + " has freed.";
      case MisuseKind::kJoinSelf: return it + " joins itself.";
      case MisuseKind::kJoinTwice:
        return it + " joins " + who(f, m_.joined) + ", which " + other + " joins or has joined.";
      case MisuseKind::kJoinDetached: return it + " joins " + who(f, m_.joined) + ", which is detached.";
      case MisuseKind::kSemaphoreOverflow: return it + " posts " + thing + ", whose value is the highest there is.";
      case MisuseKind::kCondvarTwoMutexes:
        return it + " waits on " + thing + " with another mutex than " + other + ", which waits on it.";
      case MisuseKind::kForkHolding:
        return "A copy of the process, forked by " + it + ", waits for " + thing + ": " + other +
               " held it at the fork, and the copy has no such thread.";
      case MisuseKind::kExitHolding:
        return other + " holds " + thing + " (taken at " + place_text_of_other() + ") when " + it +
               " ends the process.";
      default: return "";
    }
  }

 private:
  // An operation that tells what kind of object it is.
  OpKind op_on_object() const {
    if (m_.kind == MisuseKind::kWaitNotOwner || m_.op == OpKind::kReacquire) return OpKind::kLock;
    return m_.kind == MisuseKind::kExitHolding ? m_.other_op : m_.op;
  }
  std::string noun() const {
    if (m_.shape == LockShape::kSpin) return "spin lock";
    if (m_.shape == LockShape::kStream) return "stream lock";
    const char* kind = object_kind(op_on_object());
    return report::noun_of(report::FindingObject{.kind = kind == nullptr ? "object" : kind, .name = {}});
  }
  std::string object() {
    const OpKind op = op_on_object();
    return object_kind(op) == nullptr ? "" : wording_.target(Act{.kind = op, .object = m_.object}, place());
  }
  bool is_join() const { return m_.op == OpKind::kJoin; }
  // What the deed was done to.
  std::string of(bool now) {
    if (is_join()) return " " + (m_.joined == m_.thread && now ? "itself" : thread_name(m_.joined));
    if (m_.op == OpKind::kEndProcess && now) return "";
    return " " + object();
  }
  static std::string who(const report::Finding& f, uint32_t ordinal) {
    for (const report::FindingThread& t : f.threads)
      if (t.ordinal == ordinal) return report::thread_title(t);
    return ordinal == kNobody ? "another thread" : thread_name(ordinal);
  }

  report::Location place() { return places_.place(entry_.stack, m_.pc); }
  report::Stack stack() { return places_.stack(entry_.stack, m_.pc); }
  std::string place_text_of_other() { return report::place_text(places_.place(m_.other_pc)); }

  // The other place with its callers, where the events have it; and where the model did not know one, the
  // last unlock of the object, or where the semaphore got its first value.
  void find_other() {
    other_op_ = m_.other_op, other_ = m_.other, other_pc_ = m_.other_pc;
    for (auto e = r_.events.rbegin(); e != r_.events.rend(); ++e) {
      const bool same = m_.other_pc != 0 && e->pc == m_.other_pc && e->thread == m_.other &&
                        e->kind != OpKind::kAfter && (m_.other_op != OpKind::kFree || e->object == m_.object);
      if (!same && !explains(*e, e == r_.events.rbegin())) continue;
      other_op_ = same ? other_op_ : e->kind, other_ = e->thread, other_pc_ = e->pc;
      other_stack_ = e->stack;
      return;
    }
  }
  bool explains(const Event& e, bool is_misuse_itself) const {
    if (m_.other_op != OpKind::kNone || is_misuse_itself || e.object != m_.object) return false;
    if (m_.kind == MisuseKind::kUnlockNotLocked) return e.kind == OpKind::kUnlock || e.kind == OpKind::kRwUnlock;
    return m_.kind == MisuseKind::kSemaphoreOverflow && e.kind == OpKind::kSemInit;
  }

  const record::RunRecord& r_;
  const Misuse& m_;
  const wire::MisuseEntry& entry_;
  Places& places_;
  Wording& wording_;
  OpKind other_op_ = OpKind::kNone;
  uint32_t other_ = kNobody;
  uint64_t other_pc_ = 0;
  uint32_t other_stack_ = 0;
};

}  // namespace snarl::explain
