// Turns failures into findings: diagnosed, and given to the emitters.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "explain/diagnose/diagnose.h"
#include "explore/campaign/explorer.h"
#include "explore/campaign/store.h"
#include "report/emitter.h"
#include "report/summary.h"
#include "report/suppressions.h"
#include "symbolize/symbolizer.h"

namespace snarl::cli {

class Reporter final : public explore::Observer {
 public:
  // All must outlive it. `store` says where findings will be.
  Reporter(const explore::Setup& setup, const std::vector<report::Suppression>& suppressions,
           const explore::Store& store, report::Emitters& emitters)
      : target_(setup.target), input_(*setup.input), suppressions_(suppressions), store_(store), emitters_(emitters) {}

  void on_progress(const report::Progress& progress) override { emitters_.progress(progress); }
  Expected<explore::Judgement> on_failure(const explore::FailedRun& failure) override;
  void on_note(const record::RunRecord& record, const std::string& signature) override;

  // With the failing schedules of each signature, and whose they were.
  std::vector<report::SummaryFinding> summary(const std::map<std::string, explore::Seen>& seen,
                                              const std::vector<report::PolicyCount>& policies) const;
  std::vector<report::SummaryNote> notes(const std::map<std::string, explore::Seen>& seen) const;
  std::vector<report::SpinLoop> spin_loops(const record::SpinLoops& loops);
  // All of them, those that were of no use as well.
  std::vector<report::SummarySuppression> suppressions(const std::map<std::string, explore::Seen>& seen) const;

 private:
  explain::FindingContext context_of(const explore::FailedRun& failure) const;
  bool suppress(const report::Finding& finding);
  Expected<report::Evidence> evidence_of(const explore::FailedRun& failure, const explain::FindingContext& context,
                                         const report::Finding& finding) const;

  const explore::Target& target_;
  const os::StandardInput& input_;
  const std::vector<report::Suppression>& suppressions_;
  const explore::Store& store_;
  report::Emitters& emitters_;
  symbolize::Symbolizer symbolizer_;
  std::vector<report::Finding> findings_;
  std::map<std::string, report::SummaryNote> notes_;  // by signature
  std::map<std::string, size_t> suppressed_;          // by signature: which suppression
};

}  // namespace snarl::cli
