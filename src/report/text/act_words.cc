#include "report/text/act_words.h"

#include <fmt/format.h>

#include <cerrno>

#include "report/thread_name.h"

namespace snarl::report {
namespace {

bool has_object(const FindingAct& act) { return object_of(act.kind) != ObjectKind::kNone; }

// What a call to the kernel waits for, as far as we know it.
std::string descriptor(const FindingAct& act) {
  return act.number < (uint64_t{1} << 31) ? fmt::format("fd {}", act.number) : "the kernel";
}

std::string other(const FindingAct& act) { return act.thread == kNobody ? "another thread" : thread_name(act.thread); }

// Of a form that only tries: why it failed.
const char* failed_try(const FindingAct& act) {
  constexpr OpKinds kLocks = {OpKind::kTryLock, OpKind::kTryReadLock, OpKind::kTryWriteLock};
  if (kLocks.has(act.kind) && act.result == EBUSY) return "fails: it is taken";
  if (act.kind == OpKind::kTryJoin && act.result == EBUSY) return "fails: it has not ended";
  return act.kind == OpKind::kSemTryWait && act.result == EAGAIN ? "fails: its value is 0" : nullptr;
}

// What ended a wait, other than what was waited for.
const char* early_end(int result) {
  switch (result) {
    case ETIMEDOUT: return "timed out";
    case ECANCELED: return "is cancelled";
    case EOWNERDEAD: return "its owner ended with it";
    case EINTR: return "interrupted";
    default: return nullptr;
  }
}

}  // namespace

std::string verb_of(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexInit:
    case OpKind::kCondInit:
    case OpKind::kRwInit:
    case OpKind::kSemInit:
    case OpKind::kBarrierInit: return "init";
    case OpKind::kMutexDestroy:
    case OpKind::kCondDestroy:
    case OpKind::kRwDestroy:
    case OpKind::kSemDestroy:
    case OpKind::kBarrierDestroy: return "destroy";
    case OpKind::kOnce: return "call_once";
    case OpKind::kEndProcess: return "end the program";
    case OpKind::kReadLock: return "read lock";
    case OpKind::kTryReadLock: return "try read lock";
    case OpKind::kWriteLock: return "write lock";
    case OpKind::kTryWriteLock: return "try write lock";
    case OpKind::kRwUnlock: return "unlock";
    case OpKind::kSemWait: return "sem wait";
    case OpKind::kSemTryWait: return "sem trywait";
    case OpKind::kSemPost: return "post";
    case OpKind::kBarrierWait: return "barrier";
    case OpKind::kBarrierPass: return "pass barrier";
    case OpKind::kFutexWait: return "futex wait";
    case OpKind::kFutexWoken: return "return from wait";
    case OpKind::kFutexWake: return "wake";
    case OpKind::kFutexRequeue: return "requeue";
    case OpKind::kTestCancel: return "test for cancellation";
    case OpKind::kTryJoin: return "try join";
    case OpKind::kConsistent: return "make consistent";
    case OpKind::kTimeout: return "time out";
    case OpKind::kAtomicLoad: return "load";
    case OpKind::kAtomicStore: return "store";
    case OpKind::kAtomicRmw: return "update";
    case OpKind::kFunction: return "enter";
    case OpKind::kUser: return "point";
    default: return name_of(kind);
  }
}

std::string does(OpKind op) {
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
    default: return verb_of(op) == "destroy" ? "destroys" : verb_of(op) + "s";
  }
}

std::string did(OpKind op) {
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
    default: return verb_of(op) == "destroy" ? "destroyed" : does(op);
  }
}

std::string noun_of(ObjectKind kind) {
  if (kind == ObjectKind::kCondition) return "condition variable";
  return kind == ObjectKind::kOnce ? "once flag" : name_of(kind);
}

uint32_t object_named(const FindingAct& act) {
  if (act.kind_only) return kNoObject;
  if (act.kind == OpKind::kReacquire) return act.second;
  const bool named = has_object(act) || is_memory_access(act.kind) || act.kind == OpKind::kFree;
  return named ? act.object : kNoObject;
}

std::string ActWords::text(const FindingAct& act, const Location& place) const {
  const std::string verb = verb_of(act.kind);
  if (is_memory_access(act.kind)) return verb + " " + name(act.object);
  switch (act.kind) {
    case OpKind::kCreate:
    case OpKind::kJoin:
    case OpKind::kTryJoin:
    case OpKind::kCancel:
    case OpKind::kDetach: return verb + " " + other(act);
    case OpKind::kReacquire: return verb + " " + name(act.second);
    case OpKind::kAfter: return verb + " " + verb_of(act.after);
    case OpKind::kIo: return "use " + descriptor(act);
    case OpKind::kKill: return fmt::format("send signal {} to {}", act.number, other(act));
    case OpKind::kHandler: return fmt::format("handle signal {}", act.number);
    case OpKind::kFunction: return place.function.empty() ? verb : verb + " " + place.function;
    case OpKind::kUser: return verb + " " + act.label;
    case OpKind::kFree: return verb + " memory of " + name(act.object);
    default: return has_object(act) ? verb + " " + name(act.object) : verb;
  }
}

std::string ActWords::note(const FindingAct& act) const {
  if (const char* early = early_end(act.result)) return early;
  if (const char* failed = failed_try(act)) return failed;
  switch (act.kind) {
    case OpKind::kWait: return "releases " + name(act.second);
    case OpKind::kReacquire: return "woken by " + name(act.object);
    case OpKind::kBarrierWait: return act.result < 0 ? "the last to arrive" : "";
    case OpKind::kFutexRequeue: return act.result > 0 ? fmt::format("wakes or moves {}", act.result) : "";
    case OpKind::kFutexWake: return act.result > 0 ? fmt::format("wakes {}", act.result) : "nobody waits";
    default: return act.result > 0 ? fmt::format("returns error {}", act.result) : "";
  }
}

std::string ActWords::waits(const FindingAct& act) const {
  switch (act.kind) {
    case OpKind::kJoin: return "waits for " + other(act) + " to end";
    case OpKind::kReacquire: return "waits for a signal of " + name(act.object);
    case OpKind::kSemWait: return "waits for a post of " + name(act.object);
    case OpKind::kBarrierPass: return "waits at barrier " + name(act.object);
    case OpKind::kFutexWoken: return "waits on the value at " + name(act.object);
    case OpKind::kReadLock: return "waits to read lock " + name(act.object);
    case OpKind::kWriteLock: return "waits to write lock " + name(act.object);
    case OpKind::kOnce: return "waits for call_once " + name(act.object);
    case OpKind::kSleep: return "sleeps";
    default: return "waits for " + target(act);
  }
}

std::string ActWords::waits_short(const FindingAct& act) const {
  if (act.kind_only) return "wait " + verb_of(act.kind);
  return act.kind == OpKind::kSleep ? "sleep" : "wait " + target(act);
}

std::string ActWords::waits_note(const FindingAct& act) {
  if (act.kind_only) return "";
  switch (act.kind) {
    case OpKind::kReacquire: return "for a signal";
    case OpKind::kSemWait: return "for a post";
    case OpKind::kBarrierPass: return "for the others";
    case OpKind::kFutexWoken: return "to be woken";
    default: return "";
  }
}

std::string ActWords::target(const FindingAct& act) const {
  if (act.kind == OpKind::kJoin) return other(act);
  if (act.kind == OpKind::kIo) return descriptor(act);
  return has_object(act) ? name(act.object) : verb_of(act.kind);
}

}  // namespace snarl::report
