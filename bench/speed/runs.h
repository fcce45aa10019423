// Runs of one subject under one policy, each with the statement pairs that happens-before leaves unordered.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "explore/execute/worker.h"
#include "symbolize/symbolizer.h"

namespace snarl::bench {

using StatementPair = std::pair<std::string, std::string>;  // "file.cc:12", in order
using StatementPairs = std::set<StatementPair>;

class SubjectRuns {
 public:
  // In programs/speed. Every access of it is a schedule point.
  explicit SubjectRuns(const std::string& program);

  // The pairs of the run of that index and turn, planned with what profiling runs showed. Counts it in failed() if it
  // does not pass, or if its trace is not whole.
  StatementPairs pairs_of(const std::string& policy, uint64_t seed, uint64_t index);

  int failed() const { return failed_; }
  const Profile& profile() const { return profile_; }

 private:
  void take_profile();
  std::optional<record::RunRecord> run(explore::RunOrder order);
  StatementPairs statements(const record::RunRecord& record);

  os::Guard guard_;
  os::StandardInput input_;
  explore::Setup setup_;
  std::unique_ptr<explore::Worker> worker_;
  symbolize::Symbolizer symbolizer_;
  Profile profile_;
  std::shared_ptr<record::CountTables> counts_ = std::make_shared<record::CountTables>();
  std::map<uint64_t, std::string> names_;  // of offsets in the program; empty: not a statement of its source
  int failed_ = 0;
};

}  // namespace snarl::bench
