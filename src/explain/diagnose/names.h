// Names for threads and objects, and operations in words. Internal to diagnose.cc.
#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "explain/diagnose/places.h"
#include "schedule/operation.h"

namespace snarl::explain {

inline std::string thread_name(uint32_t ordinal) { return ordinal == 0 ? "main" : fmt::format("T{}", ordinal); }

// Gives each object the program's own name, or else a letter in order of first appearance.
class ObjectNames {
 public:
  explicit ObjectNames(Places& places) : places_(places) {}

  // `first` is where it is seen now: kept if that is the first time.
  std::string name(uint64_t address, const char* kind, const report::Location& first) {
    const auto [at, is_new] = index_.try_emplace(address, objects_.size());
    if (is_new) objects_.push_back(make(address, kind, first));
    return objects_[at->second].name;
  }

  // `block`: of the heap, as an event has it.
  std::string memory(uint64_t address, uint64_t block, const report::Location& first) {
    const std::string result = name(address, "memory", first);
    report::FindingObject& object = objects_[index_[address]];
    if (object.letter && object.about.empty()) object.about = places_.heap_text(address, block);
    return result;
  }

  // What the program calls the user's point that is named by the text at that address.
  std::string label(uint64_t address) const { return places_.label(address); }

  std::vector<report::FindingObject> take() { return std::move(objects_); }

 private:
  report::FindingObject make(uint64_t address, const char* kind, const report::Location& first) {
    report::FindingObject object{.kind = kind, .name = places_.variable(address), .letter = false, .first = first};
    if (object.name.empty()) {
      object.letter = true;
      do object.name = letter(letters_++);
      while (used_.contains(object.name));
    }
    const std::string base = object.name;
    for (int n = 2; !used_.insert(object.name).second; ++n) object.name = fmt::format("{}#{}", base, n);
    return object;
  }

  // A ... Z, A1 ... Z1, A2 ...
  static std::string letter(size_t n) {
    const std::string name(1, static_cast<char>('A' + n % 26));
    return n < 26 ? name : name + std::to_string(n / 26);
  }

  Places& places_;
  std::vector<report::FindingObject> objects_;
  std::unordered_map<uint64_t, size_t> index_;
  std::unordered_set<std::string> used_;
  size_t letters_ = 0;
};

// An operation with what it works on; `other` is an ordinal.
struct Act {
  OpKind kind = OpKind::kNone;
  OpKind after = OpKind::kNone;
  uint64_t object = 0, second = 0;
  uint32_t other = 0;
  bool other_known = true;
  int result = 0;
};

// What the object of an operation is (FindingObject::kind); nullptr: it has none.
inline const char* object_kind(OpKind kind) {
  return object_of(kind) == ObjectKind::kNone ? nullptr : name_of(object_of(kind));
}

// Says acts in words, naming their objects on the way.
class Wording {
 public:
  explicit Wording(ObjectNames& names) : names_(names) {}

  // "lock A", "create T1", "after unlock". Also right behind "is about to".
  std::string text(const Act& act, const report::Location& place) {
    const std::string verb = verb_of(act.kind);
    switch (act.kind) {
      case OpKind::kCreate:
      case OpKind::kJoin:
      case OpKind::kTryJoin:
      case OpKind::kCancel:
      case OpKind::kDetach: return verb + " " + other(act);
      case OpKind::kReacquire: return verb + " " + mutex(act.second, place);
      case OpKind::kAfter: return verb + " " + verb_of(act.after);
      case OpKind::kIo: return "use " + descriptor(act);
      case OpKind::kKill: return fmt::format("send signal {} to {}", act.object, other(act));
      case OpKind::kHandler: return fmt::format("handle signal {}", act.object);
      case OpKind::kFunction: return place.function.empty() ? verb : verb + " " + place.function;
      case OpKind::kUser: return verb + " " + names_.label(act.object);
      case OpKind::kFree: return verb + " memory of " + mutex(act.object, place);
      case OpKind::kRead:
      case OpKind::kWrite:
      case OpKind::kAtomicLoad:
      case OpKind::kAtomicStore:
      case OpKind::kAtomicRmw: return verb + " " + names_.memory(act.object, act.second, place);
      default: return object_kind(act.kind) == nullptr ? verb : verb + " " + object(act, place);
    }
  }

  // What its caller is told, or what else happens.
  std::string note(const Act& act, const report::Location& place) {
    if (act.result == ETIMEDOUT) return "timed out";
    if (act.result == ECANCELED) return "is cancelled";
    if (act.result == EOWNERDEAD) return "its owner ended with it";
    if (act.result == EINTR) return "interrupted";
    switch (act.kind) {
      case OpKind::kTryLock:
      case OpKind::kTryReadLock:
      case OpKind::kTryWriteLock:
        if (act.result == EBUSY) return "fails: it is taken";
        break;
      case OpKind::kTryJoin:
        if (act.result == EBUSY) return "fails: it has not ended";
        break;
      case OpKind::kSemTryWait:
        if (act.result == EAGAIN) return "fails: its value is 0";
        break;
      case OpKind::kWait: return "releases " + mutex(act.second, place);
      case OpKind::kReacquire: return "woken by " + object(act, place);
      case OpKind::kBarrierWait: return act.result < 0 ? "the last to arrive" : "";
      case OpKind::kFutexRequeue: return act.result > 0 ? fmt::format("wakes or moves {}", act.result) : "";
      case OpKind::kFutexWake: return act.result > 0 ? fmt::format("wakes {}", act.result) : "nobody waits";
      default: break;
    }
    return act.result > 0 ? fmt::format("returns error {}", act.result) : "";
  }

  // "waits for A", for an act that is not enabled.
  std::string waits(const Act& act, const report::Location& place) {
    switch (act.kind) {
      case OpKind::kJoin: return "waits for " + other(act) + " to end";
      case OpKind::kReacquire: return "waits for a signal of " + object(act, place);
      case OpKind::kSemWait: return "waits for a post of " + object(act, place);
      case OpKind::kBarrierPass: return "waits at barrier " + object(act, place);
      case OpKind::kFutexWoken: return "waits on the value at " + object(act, place);
      case OpKind::kReadLock: return "waits to read lock " + object(act, place);
      case OpKind::kWriteLock: return "waits to write lock " + object(act, place);
      case OpKind::kOnce: return "waits for call_once " + object(act, place);
      case OpKind::kSleep: return "sleeps";
      case OpKind::kIo: return "waits for " + descriptor(act);
      default: return "waits for " + target(act, place);
    }
  }

  // The same in few words, for the table: "wait A", and for what if nobody has it.
  std::string waits_short(const Act& act, const report::Location& place) {
    return act.kind == OpKind::kSleep ? "sleep" : "wait " + target(act, place);
  }
  static std::string waits_note(const Act& act) {
    switch (act.kind) {
      case OpKind::kReacquire: return "for a signal";
      case OpKind::kSemWait: return "for a post";
      case OpKind::kBarrierPass: return "for the others";
      case OpKind::kFutexWoken: return "to be woken";
      default: return "";
    }
  }

  // What it waits for, by name.
  std::string target(const Act& act, const report::Location& place) {
    if (act.kind == OpKind::kJoin) return other(act);
    if (act.kind == OpKind::kIo) return descriptor(act);
    return object_kind(act.kind) == nullptr ? verb_of(act.kind) : object(act, place);
  }

  std::string mutex(uint64_t address, const report::Location& place) { return names_.name(address, "mutex", place); }
  std::string rwlock(uint64_t address, const report::Location& place) { return names_.name(address, "rwlock", place); }

  // "read lock"
  static std::string verb_of(OpKind kind) {
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

 private:
  // What a call to the kernel waits for, as far as we know it.
  static std::string descriptor(const Act& act) {
    return act.object < (uint64_t{1} << 31) ? fmt::format("fd {}", act.object) : "the kernel";
  }
  std::string object(const Act& act, const report::Location& place) {
    return names_.name(act.object, object_kind(act.kind), place);
  }
  static std::string other(const Act& act) { return act.other_known ? thread_name(act.other) : "another thread"; }

  ObjectNames& names_;
};

}  // namespace snarl::explain
