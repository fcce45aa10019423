// Operations in words. Pure.
#pragma once

#include <string>
#include <vector>

#include "report/finding.h"

namespace snarl::report {

// "read lock"
std::string verb_of(OpKind kind);
// "locks", for the one who does it.
std::string does(OpKind kind);
// "locked", for what was done before; somebody who waits still does.
std::string did(OpKind kind);

// "condition variable" of a condition, ...
std::string noun_of(ObjectKind kind);

// The object that its words name, if it is one of the finding's: what is waited for, locked, read, ...; kNoObject:
// none.
uint32_t object_named(const FindingAct& act);

class ActWords {
 public:
  // `objects` must outlive it.
  explicit ActWords(const std::vector<FindingObject>& objects) : objects_(objects) {}

  // "lock A", "create T1", "after unlock". Also right behind "is about to".
  std::string text(const FindingAct& act, const Location& place) const;
  // What its caller is told, or what else happens.
  std::string note(const FindingAct& act) const;

  // "waits for A", for an act that is not enabled.
  std::string waits(const FindingAct& act) const;
  // The same in few words, for the table: "wait A", and for what if nobody has it.
  std::string waits_short(const FindingAct& act) const;
  static std::string waits_note(const FindingAct& act);
  // What it waits for, by name.
  std::string target(const FindingAct& act) const;

  std::string name(uint32_t object) const { return object < objects_.size() ? objects_[object].name : "?"; }

 private:
  const std::vector<FindingObject>& objects_;
};

}  // namespace snarl::report
