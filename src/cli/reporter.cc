#include "cli/reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/shell_word.h"
#include "cli/installation.h"
#include "cli/trust.h"
#include "explain/spin_loops.h"
#include "explore/campaign/find_cause.h"
#include "explore/target/policy_spec.h"
#include "report/text/finding_words.h"
#include "schedule/directive_file.h"

namespace snarl::cli {
namespace {

constexpr size_t kMostInput = 16 << 20;  // of the program's input in each finding's folder; more has to be given again

std::string current_folder() {
  std::error_code error;
  return std::filesystem::current_path(error);
}

std::string replay_script(const explore::Target& target) {
  std::string command;
  for (const std::string& word : target.command) command += " " + shell_word(word);
  return fmt::format(
      "#!/bin/sh\n"
      "# Replays this finding; options such as --times 20 are passed on.\n"
      "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 125\n"
      "cd {} || exit 125\n"
      "snarl=${{SNARL:-{}}}\n"
      "exec \"$snarl\" replay \"$here\" \"$@\" --{}\n",
      shell_word(current_folder()), shell_word(own_path()), command);
}

std::string place_text(const report::Location& place) {
  if (!place.file.empty() && place.line > 0) return fmt::format("{}:{}", place.file, place.line);
  if (!place.file.empty()) return place.file;
  return place.module.empty() ? "" : fmt::format("{}+0x{:x}", place.module, place.offset);
}

}  // namespace

explain::FindingContext Reporter::context_of(const explore::FailedRun& failure) const {
  explain::FindingContext context;
  context.id = fmt::format("{:04}", findings_.size() + 1);
  context.policy = explore::to_string(failure.record.key.policy);
  context.schedules_before = failure.schedules_before;
  context.switches_before = failure.switches_before;
  context.seconds = failure.seconds;
  context.program = target_.program;
  context.argv = target_.command;
  context.start = target_.start;
  context.directory = current_folder();
  context.confirmed = failure.confirmation.confirmed;
  context.doubt = failure.confirmation.doubt;
  context.cause = &failure.cause;
  return context;
}

bool Reporter::suppress(const report::Finding& finding) {
  for (size_t i = 0; i < suppressions_.size(); ++i) {
    if (!report::fits(suppressions_[i], finding)) continue;
    suppressed_[finding.signature] = i;
    return true;
  }
  return false;
}

Expected<explore::Judgement> Reporter::on_failure(const explore::FailedRun& failure) {
  explain::FindingContext context = context_of(failure);
  const auto& replayed = failure.confirmation.replay;
  const record::RunRecord* traced = replayed && replayed->settings.trace ? &*replayed : nullptr;
  report::Finding finding = explain::diagnose(failure.record, traced, symbolizer_, context);
  if (suppress(finding)) return explore::Judgement::kSuppressed;
  if (std::ranges::find(findings_, finding.signature, &report::Finding::signature) != findings_.end())
    return explore::Judgement::kFinding;  // of the corpus
  finding.folder = store_.folder_of(report::folder_name(finding, report::kind_of(finding)));
  if (store_.path() != "snarl-out") finding.commands = explain::commands_for(finding.folder);
  Expected<report::Evidence> evidence = evidence_of(failure, context, finding);
  if (!evidence) return evidence.error();
  const Status emitted = emitters_.finding({finding, *evidence});
  if (!emitted) finding.folder.clear();
  findings_.push_back(std::move(finding));
  if (!emitted) return emitted.error();
  return explore::Judgement::kFinding;
}

void Reporter::on_note(const record::RunRecord& record, const std::string& signature) {
  notes_[signature] = {explain::kind_of(record), explain::note_text(record, symbolizer_, current_folder()), 0};
}

Expected<report::Evidence> Reporter::evidence_of(const explore::FailedRun& failure,
                                                 const explain::FindingContext& context,
                                                 const report::Finding& finding) const {
  Expected<std::string> input = input_.text(kMostInput);
  if (!input) return input.error();
  report::Evidence evidence;
  evidence.in = std::move(*input);
  evidence.schedule = write_schedule(explain::schedule_of(failure.record, context, 1, &finding));
  evidence.out = failure.record.out;
  evidence.err = failure.record.err;
  evidence.replay_script = replay_script(target_);
  if (!failure.cause.constraints.empty())
    evidence.directive = write_directive(explore::directive_of(failure.cause, *failure.confirmation.replay));
  evidence.mark = mark_of(evidence.schedule, evidence.in);
  return evidence;
}

std::vector<report::SummaryNote> Reporter::notes(const std::map<std::string, explore::Seen>& seen) const {
  std::vector<report::SummaryNote> result;
  for (const auto& [signature, note] : notes_) {
    const auto at = seen.find(signature);
    result.push_back(note);
    result.back().schedules = at == seen.end() ? 1 : at->second.schedules;
  }
  return result;
}

std::vector<report::SpinLoop> Reporter::spin_loops(const record::SpinLoops& loops) {
  return explain::named_spin_loops(loops, symbolizer_, current_folder());
}

std::vector<report::SummarySuppression> Reporter::suppressions(const std::map<std::string, explore::Seen>& seen) const {
  std::vector<report::SummarySuppression> result;
  for (const report::Suppression& s : suppressions_) result.push_back({s.text, s.line, 0, 0});
  for (const auto& [signature, which] : suppressed_) {
    const auto at = seen.find(signature);
    ++result[which].findings;
    result[which].schedules += at == seen.end() ? 1 : at->second.schedules;
  }
  return result;
}

std::vector<report::SummaryFinding> Reporter::summary(const std::map<std::string, explore::Seen>& seen,
                                                      const std::vector<report::PolicyCount>& policies) const {
  std::vector<report::SummaryFinding> result;
  for (const report::Finding& finding : findings_) {
    report::SummaryFinding row;
    row.id = finding.id;
    row.kind = kind_of(finding);
    row.signature = finding.signature;
    row.place = place_text(finding.place);
    row.function = finding.place.function;
    row.policy = finding.policy;
    row.seed = finding.key.seed;
    row.index = finding.key.index;
    row.switches = finding.switches;
    if (finding.cause.enough) row.depth = static_cast<int>(depth_of(finding));
    row.folder = finding.folder;
    const auto at = seen.find(finding.signature);
    row.schedules = at == seen.end() ? 1 : at->second.schedules;
    for (size_t i = 0; at != seen.end() && i < std::min(policies.size(), at->second.by_policy.size()); ++i)
      if (at->second.by_policy[i] > 0) row.found_by.push_back({policies[i].policy, at->second.by_policy[i]});
    row.confirmed = finding.confirmed;
    row.summary = summary_of(finding);
    result.push_back(std::move(row));
  }
  return result;
}

}  // namespace snarl::cli
