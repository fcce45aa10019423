#include "report/text/misuse_words.h"

#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

std::string order_word(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::kRelaxed: return "relaxed";
    case MemoryOrder::kConsume: return "consume";
    case MemoryOrder::kAcquire: return "acquire";
    case MemoryOrder::kRelease: return "release";
    case MemoryOrder::kAcquireRelease: return "acquire-release";
    case MemoryOrder::kSequential: return "sequentially consistent";
    default: return "atomic";
  }
}

}  // namespace

std::string MisuseWords::headline() const {
  switch (m_.kind) {
    case MisuseKind::kUnlockNotOwner: return "unlock by another thread";
    case MisuseKind::kUnlockNotLocked: return "unlock of an unlocked " + noun();
    case MisuseKind::kWaitNotOwner: return "condition wait without the mutex";
    case MisuseKind::kDestroyLocked: return "destroy of a locked " + noun();
    case MisuseKind::kDestroyWaited: return "destroy of a " + noun() + " in use";
    case MisuseKind::kUseAfterDestroy: return "use of a destroyed " + noun();
    case MisuseKind::kUseAfterFree:
      if (m_.op == OpKind::kFree) return "double free";
      return is_memory_access(m_.op) ? "use after free" : "use of a " + noun() + " in freed memory";
    case MisuseKind::kJoinSelf: return "join of itself";
    case MisuseKind::kJoinTwice: return "second join";
    case MisuseKind::kJoinDetached: return "join of a detached thread";
    case MisuseKind::kSemaphoreOverflow: return "semaphore overflow";
    case MisuseKind::kCondvarTwoMutexes: return "condition variable with two mutexes";
    case MisuseKind::kForkHolding: return "lock held across fork";
    case MisuseKind::kExitHolding: return "exit with a lock held";
    case MisuseKind::kRace: return "data race";
    default: return "misuse";
  }
}

std::string MisuseWords::sentence() const {
  const std::string it = who(m_.thread), other = who(m_.other), thing = noun() + " " + object();
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
      if (m_.op == OpKind::kFree) return it + " frees memory that " + other + " has freed.";
      if (is_memory_access(m_.op)) return it + " accesses " + object() + " in memory that " + other + " has freed.";
      return it + " " + does(m_.op) + " " + thing + ", whose memory " + other + " has freed.";
    case MisuseKind::kJoinSelf: return it + " joins itself.";
    case MisuseKind::kJoinTwice: return it + " joins " + who(m_.joined) + ", which " + other + " joins or has joined.";
    case MisuseKind::kJoinDetached: return it + " joins " + who(m_.joined) + ", which is detached.";
    case MisuseKind::kSemaphoreOverflow: return it + " posts " + thing + ", whose value is the highest there is.";
    case MisuseKind::kCondvarTwoMutexes:
      return it + " waits on " + thing + " with another mutex than " + other + ", which waits on it.";
    case MisuseKind::kForkHolding:
      return "A copy of the process, forked by " + it + ", waits for " + thing + ": " + other +
             " held it at the fork, and the copy has no such thread.";
    case MisuseKind::kExitHolding:
      return other + " holds " + thing + " (taken at " + place_text(m_.other_place) + ") when " + it +
             " ends the process.";
    case MisuseKind::kRace:
      if (m_.weak)
        return it + " accesses " + object() + " after " + other +
               ", but memory orders do not say so: the atomic operations between the two are too weak to order them, "
               "and "
               "one of the two writes.";
      return it + " and " + other + " stand at accesses to " + object() +
             " at the same moment: nothing orders them, and one of them writes.";
    default: return "";
  }
}

// "write of 4 bytes at queue.size by T2 consumer, which holds A"
std::string MisuseWords::access(const FindingDeed& deed) const {
  const bool atomic = deed.operation != OpKind::kRead && deed.operation != OpKind::kWrite;
  std::string text = std::string(atomic ? "atomic " : "") + (is_memory_read(deed.operation) ? "read" : "write") +
                     " of " + std::to_string(deed.size) + (deed.size == 1 ? " byte" : " bytes") + " at " + object();
  if (deed.offset != 0) text += " + " + std::to_string(deed.offset);
  text += " by " + who(deed.thread);
  for (size_t i = 0; i < deed.locks.size(); ++i)
    text +=
        (i == 0 ? ", which holds " : ", ") + (deed.locks[i] < f_.objects.size() ? f_.objects[deed.locks[i]].name : "");
  return text;
}

std::string MisuseWords::deed(const FindingDeed& deed) const {
  switch (deed.kind) {
    case DeedKind::kUsed: return who(deed.thread) + " uses it";
    case DeedKind::kFreed: return thread_name(deed.thread) + " freed the memory";
    case DeedKind::kAllocated: return thread_name(deed.thread) + " allocated it";
    case DeedKind::kAccess: return access(deed);
    case DeedKind::kWeakLoad: return order_word(deed.order) + " load of " + name(deed.object) + " reads ...";
    case DeedKind::kWeakStore: return "... what this " + order_word(deed.order) + " store wrote";
    case DeedKind::kCreated: return who(deed.thread) + " was created by " + who(deed.creator);
    case DeedKind::kWrongCall:
      return who(deed.thread) + " " + (m_.kind == MisuseKind::kWaitNotOwner ? "waits with" : does(deed.operation)) +
             of(true);
    case DeedKind::kWhatMadeItSo:
      if (m_.kind == MisuseKind::kJoinSelf) return who(m_.other) + " created it";
      return who(deed.thread) + " " + did(deed.operation) + of(false);
  }
  return "";
}

std::string MisuseWords::noun() const {
  if (m_.shape == LockShape::kSpin) return "spin lock";
  if (m_.shape == LockShape::kStream) return "stream lock";
  return m_.object_kind == ObjectKind::kNone ? "object" : noun_of(m_.object_kind);
}

std::string MisuseWords::name(uint32_t object) const {
  return object < f_.objects.size() ? f_.objects[object].name : "";
}

std::string MisuseWords::object() const { return name(m_.object); }

// What the deed was done to.
std::string MisuseWords::of(bool now) const {
  if (m_.op == OpKind::kJoin) return " " + (m_.joined == m_.thread && now ? "itself" : thread_name(m_.joined));
  if (m_.op == OpKind::kEndProcess && now) return "";
  return " " + object();
}

std::string MisuseWords::who(uint32_t ordinal) const {
  for (const FindingThread& t : f_.threads)
    if (t.ordinal == ordinal) return thread_title(t);
  return ordinal == kNobody ? "another thread" : thread_name(ordinal);
}

}  // namespace snarl::report
