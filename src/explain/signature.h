// What is wrong with a run, and what makes two failures the same one.
//
// RunRecord::failure says which of a run's failures is meant; everything that speaks of "the failure" of a record
// speaks of that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"
#include "schedule/schedule.h"

namespace snarl::explain {

// Misuses in their order, then the outcome.
std::vector<record::Failure> failures_of(const record::RunRecord& record);
inline bool fails(const record::RunRecord& record) { return !failures_of(record).empty(); }

// The name of the failure's kind, a misuse's or an outcome's.
std::string kind_of(const record::RunRecord& record);

// The misuse that is meant, or nullptr if the outcome is.
const wire::MisuseEntry* misuse_of(const record::RunRecord& record);

// The pair of accesses that nothing orders, if that is meant; or nullptr.
const wire::RaceEntry* possible_race_of(const record::RunRecord& record);

// Is it that of a race, or of an access to freed memory? Such a run goes on, and counts as failing only by what else is
// wrong with it.
bool is_of_accesses(const std::string& signature);

// Memory is accessed or freed that was freed before: the hooks have seen it, not the model.
inline bool is_use_of_freed_memory(const Misuse& misuse) {
  return misuse.kind == MisuseKind::kUseAfterFree && (is_memory_access(misuse.op) || misuse.op == OpKind::kFree);
}

// Those of the run's possible races that did not come together in it.
std::vector<record::Failure> possible_races_of(const record::RunRecord& record);

// Is it no race, but a pair of places where two threads took locks in opposite orders?
inline bool is_lock_order(const wire::RaceEntry& race) { return race.op == OpKind::kLock; }

// That of the race itself, for a possible one.
std::string signature_of_race(const record::RunRecord& record, const wire::RaceEntry& race);

// Needs no symbols, and is the same in every process of a build: kind and, for a deadlock, the pending
// operation and place of each blocked thread that does more than wait for work; for a livelock what its threads run;
// for an assertion its text; for a signal its number and the innermost place in the program's own code; for an exit its
// code; for wrong output the line or the pattern; for a misuse the call and its callers; for a race both accesses.
std::string signature_of(const record::RunRecord& record);

// Makes the failure with that signature the one that is meant. False, and the outcome is meant, if the run has none.
bool choose_failure(record::RunRecord& record, const std::string& signature);

// Six hex digits, for folder names.
std::string signature_hash(std::string_view signature);

}  // namespace snarl::explain
