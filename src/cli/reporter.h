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
#include "report/suppressions.h"
#include "symbolize/symbolizer.h"

namespace snarl {

class Reporter final : public Observer {
 public:
  // All but `live` must outlive it.
  Reporter(const Setup& setup, const std::vector<Suppression>& suppressions, Store& store, bool live)
      : target_(setup.target), input_(*setup.input), suppressions_(suppressions), store_(store), line_(live) {}

  void on_progress(const Progress& progress) override { line_.show(progress); }
  Expected<Verdict> on_failure(const Failure& failure) override;
  void on_note(const RunRecord& record, const std::string& signature) override;

  ProgressLine& line() { return line_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // With the failing schedules of each signature, and whose they were.
  std::vector<SummaryFinding> summary(const std::map<std::string, Seen>& seen, const std::vector<PolicyCount>& policies) const;
  std::vector<SummaryNote> notes(const std::map<std::string, Seen>& seen) const;
  // All of them, those that were of no use as well.
  std::vector<SummarySuppression> suppressions(const std::map<std::string, Seen>& seen) const;

 private:
  FindingContext context_of(const Failure& failure) const;
  bool suppress(const Finding& finding);
  Status keep(const Failure& failure, const FindingContext& context, Finding& finding);

  const Target& target_;
  const StandardInput& input_;
  const std::vector<Suppression>& suppressions_;
  Store& store_;
  ProgressLine line_;
  Symbolizer symbolizer_;
  std::vector<Finding> findings_;
  std::map<std::string, SummaryNote> notes_;  // by signature
  std::map<std::string, size_t> suppressed_;  // by signature: which suppression
};

}  // namespace snarl
