#include "report/formats/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "report/formats/fingerprint.h"
#include "report/formats/source_uri.h"
#include "report/json_archive.h"
#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/finding.h"
#include "report/text/finding_words.h"
#include "report/text/location_text.h"
#include "report/text/misuse_words.h"
#include "report/text/one_line.h"
#include "report/text/paragraphs.h"
#include "report/text/row_words.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"

namespace snarl::report {
namespace {

constexpr const char* kRoot = "SRCROOT";
constexpr size_t kMostRows = 1000;  // of a finding, its last: viewers show no more, and services refuse large files

json message(const std::string& text) { return {{"text", text.empty() ? "-" : printable(text, Newlines::kKeep)}}; }

std::string folder_uri(const std::string& path) { return uri_of(path.ends_with('/') ? path : path + "/"); }

std::string rule_words(std::string kind) {
  std::ranges::replace(kind, '_', ' ');
  return kind;
}

class Sarif {
 public:
  explicit Sarif(const Results& results) : r_(results) {}

  json log() {
    json results = json::array();
    for (const Finding& finding : r_.findings) results.push_back(result(finding));
    json run = {{"tool", {{"driver", driver()}}},
                {"invocations", {invocation()}},
                {"originalUriBaseIds", {{kRoot, {{"uri", folder_uri(r_.root.path)}}}}},
                {"columnKind", "unicodeCodePoints"},
                {"results", std::move(results)},
                {"properties", properties()}};
    return {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", {std::move(run)}}};
  }

 private:
  json driver() const {
    json rules = json::array();
    rules.get_ref<json::array_t&>().resize(rules_.size());
    for (const auto& [kind, index] : rules_)
      rules[index] = {{"id", kind},
                      {"shortDescription", message("snarl found: " + rule_words(kind))},
                      {"help", message("snarl replay runs the schedule that failed in this way once more; "
                                       "snarl replay --gdb does so in gdb.")},
                      {"defaultConfiguration", {{"level", "error"}}}};
    json driver = {{"name", "snarl"}, {"rules", std::move(rules)}};
    if (!r_.summary.version.empty()) driver["version"] = r_.summary.version;
    return driver;
  }

  json notification(const char* level, const std::string& text) const {
    return {{"level", level}, {"message", message(text)}};
  }

  json invocation() const {
    json told = json::array();
    if (const std::string problem = problem_text(r_.ending); !problem.empty())
      told.push_back(notification(r_.ending.exit_code == 0 ? "note" : "error", problem));
    if (r_.ending.tested) told.push_back(notification("note", summary_text(r_.summary)));
    return {{"executionSuccessful", r_.ending.is_verdict() || r_.ending.exit_code == 0},
            {"exitCode", r_.ending.exit_code},
            {"workingDirectory", {{"uri", folder_uri(r_.root.folder)}}},
            {"toolExecutionNotifications", std::move(told)}};
  }

  json properties() const {
    return {{"command", printable(command_text(r_.summary.command))},
            {"seed", wide_text(r_.summary.seed)},
            {"schedules", r_.summary.schedules},
            {"failingSchedules", r_.summary.failing_schedules}};
  }

  json physical(const Location& place) const {
    const SourcePath path = source_path(place, r_.root);
    if (!path.known()) return nullptr;
    json artifact = {{"uri", uri_of(path.path)}};
    if (path.in_root) artifact["uriBaseId"] = kRoot;
    json physical = {{"artifactLocation", std::move(artifact)}};
    if (place.line > 0) physical["region"]["startLine"] = place.line;
    if (place.line > 0 && place.column > 0) physical["region"]["startColumn"] = place.column;
    return physical;
  }

  json location(const Location& place, const std::string& text = {}) const {
    json location = json::object();
    if (json at = physical(place); !at.is_null()) location["physicalLocation"] = std::move(at);
    if (const std::string function = function_text(place); !function.empty())
      location["logicalLocations"] = {{{"name", printable(function)}, {"kind", "function"}}};
    if (!text.empty()) location["message"] = message(text);
    return location;
  }

  size_t rule(const std::string& kind) { return rules_.try_emplace(kind, rules_.size()).first->second; }

  // Two findings that look alike after a rebuild are told apart by their order.
  std::string own_fingerprint(const Finding& finding) {
    const std::string print = fingerprint(finding);
    return fmt::format("{}:{}", print, ++prints_[print]);
  }

  json result(const Finding& finding) {
    const Location place = shown_place(finding);
    json shown = location(place);
    if (!shown.contains("physicalLocation"))
      shown["physicalLocation"] = {
          {"artifactLocation", {{"uri", uri_of(finding.program.empty() ? "unknown" : finding.program)}}}};
    json result = {{"ruleId", kind_of(finding)},
                   {"ruleIndex", rule(kind_of(finding))},
                   {"level", finding.confirmed ? "error" : "warning"},
                   {"kind", "fail"},
                   {"message", message(finding_paragraph(finding))},
                   {"locations", {std::move(shown)}},
                   {"partialFingerprints", {{"snarlFinding/v1", own_fingerprint(finding)}}},
                   {"properties", result_properties(finding)}};
    if (json flow = code_flow(finding); !flow.is_null()) result["codeFlows"] = {std::move(flow)};
    if (json stacks = stacks_of(finding); !stacks.empty()) result["stacks"] = std::move(stacks);
    if (json related = related_places(finding); !related.empty()) result["relatedLocations"] = std::move(related);
    return result;
  }

  static json result_properties(const Finding& finding) {
    json properties = {{"id", finding.id},
                       {"signature", printable(finding.signature)},
                       {"confirmed", finding.confirmed},
                       {"policy", finding.policy},
                       {"seed", wide_text(finding.key.seed)},
                       {"index", finding.key.index},
                       {"folder", printable(finding.folder)},
                       {"schedule", one_line_schedule(finding)}};
    for (const FindingCommand& command : finding.commands)
      properties["commands"][command.what] = printable(command.command);
    return properties;
  }

  // The deeds of a misuse, and where what is held was taken.
  json related_places(const Finding& finding) const {
    json related = json::array();
    const auto add = [&](const Location& place, const std::string& text) {
      json one = location(place, text);
      if (!one.contains("physicalLocation")) return;
      one["id"] = related.size();
      related.push_back(std::move(one));
    };
    const MisuseWords misuse(finding);
    const ActWords words(finding.objects);
    for (const FindingDeed& deed : finding.deeds) add(deed.place, misuse.deed(deed));
    for (const FindingThread& thread : finding.threads)
      for (const FindingHeld& held : thread.holds)
        add(held.place, thread_name(thread.ordinal) + " took " + words.name(held.object));
    return related;
  }

  json stacks_of(const Finding& finding) const {
    json stacks = json::array();
    const auto add = [&](const Stack& stack, const std::string& title) {
      json frames = json::array();
      for (const Location& frame : stack) {
        json one = {{"location", location(frame)}};
        if (!frame.module.empty()) one["module"] = printable(frame.module);
        frames.push_back(std::move(one));
      }
      if (!frames.empty()) stacks.push_back({{"message", message(title)}, {"frames", std::move(frames)}});
    };
    for (const FindingThread* thread : live_threads(finding)) add(thread->stack, thread_title(*thread));
    for (const FindingDeed& deed : finding.deeds) add(deed.stack, MisuseWords(finding).deed(deed));
    return stacks;
  }

  static const char* importance_of(const FindingRow& row) {
    if (!is_step(row)) return "essential";
    return row.act.kind == OpKind::kAfter ? "unimportant" : "important";
  }

  json flow_location(const FindingRow& row, const RowWords& words, size_t order) const {
    const std::string text = words.text + (words.note.empty() ? "" : " (" + words.note + ")");
    json one = {{"location", location(row.place, text)},
                {"executionOrder", order},
                {"importance", importance_of(row)},
                {"kinds", {row.kind == RowKind::kFailure ? "fail" : name_of(row.act.kind)}}};
    if (row.step > 0) one["properties"]["step"] = row.step;
    return one;
  }

  // Time runs through all threads: executionOrder counts the rows.
  json code_flow(const Finding& finding) const {
    const size_t first = finding.rows.size() - std::min(finding.rows.size(), kMostRows);
    const ActWords words(finding.objects);
    const std::string headline = headline_of(finding);
    std::map<uint32_t, json> by_thread;
    for (size_t i = first; i < finding.rows.size(); ++i) {
      const FindingRow& row = finding.rows[i];
      json& flow = by_thread.try_emplace(row.thread, json::array()).first->second;
      flow.push_back(flow_location(row, words_of(row, words, headline), i - first + 1));
    }
    json flows = json::array();
    for (auto& [ordinal, locations] : by_thread) {
      const auto thread = std::ranges::find(finding.threads, ordinal, &FindingThread::ordinal);
      const std::string title = thread == finding.threads.end() ? thread_name(ordinal) : thread_title(*thread);
      flows.push_back({{"id", printable(title)}, {"message", message(title)}, {"locations", std::move(locations)}});
    }
    if (flows.empty()) return nullptr;
    const uint64_t left_out = finding.rows_lost + first;
    const std::string cut =
        left_out == 0 ? "" : fmt::format("; {} before these are left out", counted(left_out, "row", "rows"));
    return {{"message", message("Schedule: " + one_line_schedule(finding) + cut)}, {"threadFlows", std::move(flows)}};
  }

  const Results& r_;
  std::map<std::string, size_t> rules_;   // kind -> index, in order of appearance
  std::map<std::string, size_t> prints_;  // how many findings have each
};

}  // namespace

std::string sarif_text(const Results& results) { return json_text(Sarif(results).log()); }

}  // namespace snarl::report
