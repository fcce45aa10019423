#include "report/text/misuse_words.h"

#include "report/text/act_words.h"
#include "report/text/location_text.h"
#include "report/text/paragraphs.h"
#include "report/text/thread_name.h"

namespace snarl::report {

std::string MisuseWords::headline() const {
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
    default: return "";
  }
}

std::string MisuseWords::deed(const FindingDeed& deed) const {
  switch (deed.kind) {
    case DeedKind::kUsed: return who(deed.thread) + " uses it";
    case DeedKind::kFreed: return thread_name(deed.thread) + " freed the memory";
    case DeedKind::kAllocated: return thread_name(deed.thread) + " allocated it";
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
  return m_.object_kind == ObjectKind::kNone ? "object" : noun_of(word_of(m_.object_kind));
}

std::string MisuseWords::object() const { return m_.object < f_.objects.size() ? f_.objects[m_.object].name : ""; }

// What the deed was done to.
std::string MisuseWords::of(bool now) const {
  if (m_.op == OpKind::kJoin) return " " + (m_.joined == m_.thread && now ? "itself" : thread_name(m_.joined));
  if (m_.op == OpKind::kEndProcess && now) return "";
  return " " + object();
}

std::string MisuseWords::who(uint32_t ordinal) const {
  for (const DocumentThread& t : threads_)
    if (t.ordinal == ordinal) return thread_title(t);
  return ordinal == kNobody ? "another thread" : thread_name(ordinal);
}

}  // namespace snarl::report
