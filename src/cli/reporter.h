// Turns failures into findings: diagnosed, stored, and told to the user.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "explain/diagnose/diagnose.h"
#include "explore/campaign/explorer.h"
#include "explore/campaign/store.h"
#include "report/summary.h"
#include "report/suppressions.h"
#include "symbolize/symbolizer.h"

namespace snarl::cli {

class Reporter final : public explore::Observer {
 public:
  // All but `live` must outlive it.
  Reporter(const explore::Setup& setup, const std::vector<report::Suppression>& suppressions, explore::Store& store,
           bool live)
      : target_(setup.target), input_(*setup.input), suppressions_(suppressions), store_(store), line_(live) {}

  void on_progress(const explore::Progress& progress) override { line_.show(progress); }
  Expected<explore::Judgement> on_failure(const explore::FailedRun& failure) override;
  void on_note(const record::RunRecord& record, const std::string& signature) override;

  ProgressLine& line() { return line_; }
  const std::vector<report::Finding>& findings() const { return findings_; }
  // With the failing schedules of each signature, and whose they were.
  std::vector<report::SummaryFinding> summary(const std::map<std::string, explore::Seen>& seen,
                                              const std::vector<report::PolicyCount>& policies) const;
  std::vector<report::SummaryNote> notes(const std::map<std::string, explore::Seen>& seen) const;
  // All of them, those that were of no use as well.
  std::vector<report::SummarySuppression> suppressions(const std::map<std::string, explore::Seen>& seen) const;

 private:
  explain::FindingContext context_of(const explore::FailedRun& failure) const;
  bool suppress(const report::Finding& finding);
  Status keep(const explore::FailedRun& failure, const explain::FindingContext& context, report::Finding& finding);

  const explore::Target& target_;
  const os::StandardInput& input_;
  const std::vector<report::Suppression>& suppressions_;
  explore::Store& store_;
  ProgressLine line_;
  symbolize::Symbolizer symbolizer_;
  std::vector<report::Finding> findings_;
  std::map<std::string, report::SummaryNote> notes_;  // by signature
  std::map<std::string, size_t> suppressed_;          // by signature: which suppression
};

}  // namespace snarl::cli
