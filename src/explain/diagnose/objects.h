// The objects of one run, and the operations on them, as a finding has them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "explain/diagnose/places.h"
#include "schedule/operation.h"

namespace snarl::explain {

// An operation as a record has it: objects are addresses, `other` is an ordinal.
struct Act {
  OpKind kind = OpKind::kNone;
  OpKind after = OpKind::kNone;
  uint64_t object = 0, second = 0;
  uint64_t block = 0;  // memory: as Places::block takes it
  uint32_t other = kNobody;
  int result = 0;
};

Act act_of(const Event& event);
// A pending operation names another thread by its ordinal, as far as that fits: it is known if such a thread lives.
Act act_of(const Op& op, const std::vector<wire::Thread>& threads);

// Gives each object the program's own name, or else a letter in order of first appearance. So the order of the calls
// counts: what is asked for first is A.
class ObjectTable {
 public:
  explicit ObjectTable(Places& places) : places_(places) {}

  // The index of the object; `first` is where it is seen now: kept if that is the first time.
  uint32_t object(uint64_t address, ObjectKind kind, const report::Location& first);

  // An act that was performed: with all that it works on.
  report::FindingAct performed(const Act& act, const report::Location& place);
  // One that is pending, and will be spoken of as such.
  report::FindingAct pending(const Act& act, const report::Location& place);
  // One that its thread waits to perform: only what it waits for counts.
  report::FindingAct waiting(const Act& act, const report::Location& place);
  // Of which only the kind is known, or counts.
  static report::FindingAct only(OpKind kind) { return {.kind = kind, .kind_only = true}; }

  std::vector<report::FindingObject> take() { return std::move(objects_); }

 private:
  report::FindingObject make(uint64_t address, ObjectKind kind, const report::Location& first);
  uint32_t first_object(const Act& act, const report::Location& place);
  uint32_t memory(const Act& act, const report::Location& place);

  Places& places_;
  std::vector<report::FindingObject> objects_;
  std::unordered_map<uint64_t, uint32_t> index_;
  std::unordered_set<std::string> used_;
  size_t letters_ = 0;
};

}  // namespace snarl::explain
