// The failures of an exploration by signature: how often each was seen, which of them nobody has looked at yet, and the
// failing runs that wait for that. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/execute/order.h"
#include "record/record.h"
#include "schedule/rota.h"

namespace snarl::explore {

// The failing schedules of one signature.
struct Seen {
  uint64_t schedules = 0;
  std::vector<uint64_t> by_policy;  // in the order of the plan's policies
};

class OpenFailures {
 public:
  OpenFailures(const Rota& rota, size_t policies) : rota_(rota), policies_(policies) {}

  // Signatures of all that is wrong with the run and not suppressed. Of each new signature, the run with the smallest
  // index is kept.
  std::vector<std::string> note(record::RunRecord& record);
  // Of what the run shows, something may be wrong: its races that did not come together. They are looked at as failures
  // are, but are none. Those that are known not to have to be looked at are left out.
  void note_possible(record::RunRecord& record);
  // A race that was predicted from a run, likewise. True: it is known to be one.
  bool note_predicted(const record::RunRecord& race);
  // A failure was found while others were looked at. False: it was known.
  bool note_found(const std::string& signature, const record::RunRecord& record);
  // The run has these signatures: whether it counts is decided when all of them have been looked at.
  void hold(const RunOrder& order, std::vector<std::string> signatures);
  // Not a failure, but counted too. True: the first of its signature.
  bool note_harmless(const std::string& signature) { return ++seen_[signature].schedules == 1; }

  bool empty() const { return pending_.empty(); }
  // The one to look at next: of the run with the smallest index. Must not be empty.
  uint64_t first_index() const { return first()->second.key.index; }
  std::pair<std::string, record::RunRecord> take_first();

  void suppress(const std::string& signature) { suppressed_.insert(signature); }
  // Everything has been looked at: returns the runs that failed only by what is suppressed.
  std::vector<RunOrder> decide();

  // Did the held run share its process with others?
  bool was_shared(const record::RunRecord& record) const;
  // The held run never was. Returns its order.
  RunOrder withdraw(const std::string& signature, const record::RunRecord& record);
  // As if the signature had not been seen, nor any that nobody has looked at.
  void forget(const std::string& signature);

  const std::map<std::string, Seen>& seen() const { return seen_; }

 private:
  using Pending = std::map<std::string, record::RunRecord>;
  struct Undecided {
    RunOrder order;
    std::vector<std::string> signatures;
  };

  void note(const std::string& signature, const record::RunRecord& record);
  Pending::const_iterator first() const;
  std::vector<Undecided>::const_iterator held(const record::RunRecord& record) const;

  Rota rota_;
  size_t policies_;
  std::map<std::string, Seen> seen_;
  Pending pending_;                   // new failures that were not looked at yet
  std::set<std::string> suppressed_;  // signatures that are no longer looked at
  std::vector<Undecided> undecided_;  // failing runs of which some signature has not been looked at
};

}  // namespace snarl::explore
