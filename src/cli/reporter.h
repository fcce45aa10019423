// Turns failures into findings: diagnosed, stored, and told to the user.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "explore/diagnose.h"
#include "explore/explorer.h"
#include "explore/store.h"
#include "report/summary.h"
#include "symbolize/symbolizer.h"

namespace snarl {

class Reporter final : public Observer {
 public:
  Reporter(const Target& target, Store& store, bool live) : target_(target), store_(store), line_(live) {}

  void on_progress(const Progress& progress) override { line_.show(progress); }
  Status on_failure(const Failure& failure) override;

  ProgressLine& line() { return line_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // With the failing schedules of each signature, and whose they were.
  std::vector<SummaryFinding> summary(const std::map<std::string, Seen>& seen, const std::vector<PolicyCount>& policies) const;

 private:
  FindingContext context_of(const Failure& failure) const;

  const Target& target_;
  Store& store_;
  ProgressLine line_;
  Symbolizer symbolizer_;
  std::vector<Finding> findings_;
};

}  // namespace snarl
