#include "report/formats/finding_json.h"

#include "report/finding_fields.h"
#include "report/json_archive.h"
#include "report/text/act_words.h"
#include "report/text/finding_words.h"
#include "report/text/misuse_words.h"
#include "report/text/one_line.h"
#include "report/text/row_words.h"
#include "report/text/signal_name.h"
#include "report/text/thread_words.h"

namespace snarl::report {
namespace {

void say(json& j, const char* key, const std::string& text) {
  if (!text.empty()) j[key] = text;
}

// Adds the words that follow from the fields of a finding to its JSON form, which has the same lists.
class Words {
 public:
  explicit Words(const Finding& finding)
      : f_(finding), words_(finding.objects), headline_(headline_of(finding)), misuse_(finding) {}

  void add_to(json& j) const {
    head(j);
    for (size_t i = 0; i < f_.objects.size(); ++i) object(f_.objects[i], j["objects"][i]);
    for (size_t i = 0; i < f_.threads.size(); ++i) thread(f_.threads[i], j["threads"][i]);
    for (size_t i = 0; i < f_.rows.size(); ++i) row(f_.rows[i], j["rows"][i]);
    for (size_t i = 0; i < f_.deeds.size(); ++i) say(j["deeds"][i], "text", misuse_.deed(f_.deeds[i]));
    for (size_t i = 0; i < f_.pattern.moments.size(); ++i) moment(f_.pattern.moments[i], j["moments"][i]);
    for (size_t i = 0; i < f_.cause.constraints.size(); ++i) constraint(f_.cause.constraints[i], j["constraints"][i]);
    if (f_.deadline.count > 0) deadline(j["deadline"]);
  }

 private:
  void head(json& j) const {
    j["kind"] = kind_of(f_);
    j["headline"] = headline_;
    j["summary"] = summary_of(f_);
    say(j, "message", message_of(f_));
    if (failed_by(f_, OutcomeKind::kSignal)) j["signal"] = signal_name(f_.signal);
    j["line"] = one_line_schedule(f_);
    say(j, "sentence", sentence_of(f_));
    if (const uint64_t depth = depth_of(f_); depth > 0) j["depth"] = depth;
  }

  void deadline(json& j) const {
    j["seconds"] = static_cast<double>(f_.deadline.nanoseconds) / 1e9;
    j["who"] = f_.deadline.alarm ? "an alarm" : thread_name(f_.deadline.thread);
  }

  static void object(const FindingObject& object, json& j) { say(j, "about", block_text(object.block)); }

  void thread(const FindingThread& thread, json& j) const {
    j["name"] = thread_name(thread.ordinal);
    say(j, "pending", pending_text(thread, words_));
    say(j, "waits", doing_text(thread, words_));
    say(j, "waits_for", awaited_text(thread, words_));
    for (size_t i = 0; i < thread.holds.size(); ++i) j["holds"][i]["object"] = words_.name(thread.holds[i].object);
  }

  void row(const FindingRow& row, json& j) const {
    const RowWords told = words_of(row, words_, headline_);
    j["operation"] = row.kind == RowKind::kFailure ? "fail" : name_of(row.act.kind);
    j["text"] = told.text;
    say(j, "note", told.note);
    say(j, "value", told.value);
    j["granted"] = row.kind != RowKind::kNeverGranted && row.kind != RowKind::kFailure;
  }

  void moment(const FindingMoment& moment, json& j) const {
    j["operation"] = name_of(moment.act.kind);
    j["text"] = words_.text(moment.act, moment.place);
  }

  void constraint(const FindingConstraint& constraint, json& j) const {
    for (size_t i = 0; i < constraint.sources.size(); ++i) moment(constraint.sources[i], j["sources"][i]);
    moment(constraint.target, j["target"]);
  }

  const Finding& f_;
  ActWords words_;
  std::string headline_;
  MisuseWords misuse_;
};

}  // namespace

json to_json(const Finding& finding) {
  json j = write_json(finding, kFindingSchema);
  Words(finding).add_to(j);
  return j;
}

Expected<Finding> finding_from_json(const json& j) { return read_json<Finding>(j, kFindingSchema); }

std::string finding_json_text(const Finding& finding) { return json_text(to_json(finding)); }

Expected<Finding> finding_from_json_text(const std::string& text) {
  return finding_from_json(json::parse(text, nullptr, false));
}

}  // namespace snarl::report
