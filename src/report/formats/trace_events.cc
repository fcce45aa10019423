#include "report/formats/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "report/json_archive.h"
#include "report/printable.h"
#include "report/text/act_words.h"
#include "report/text/finding_words.h"
#include "report/text/location_text.h"
#include "report/text/row_words.h"
#include "report/text/thread_words.h"

namespace snarl::report {
namespace {

constexpr uint64_t kSlice = 10;  // microseconds of a row
constexpr uint32_t kProcess = 1;

class TraceEvents {
 public:
  explicit TraceEvents(const Finding& finding)
      : f_(finding), words_(finding.objects), headline_(headline_of(finding)) {}

  json document() {
    metadata(0, "process_name", f_.argv.empty() ? f_.program : f_.argv.front());
    for (const FindingThread& thread : f_.threads) {
      metadata(thread.ordinal, "thread_name", thread_title(thread));
      events_.push_back({{"ph", "M"},
                         {"pid", kProcess},
                         {"tid", track(thread.ordinal)},
                         {"name", "thread_sort_index"},
                         {"args", {{"sort_index", thread.ordinal}}}});
    }
    for (size_t i = 0; i < f_.rows.size(); ++i) slice(f_.rows[i], i);
    for (size_t i = 0; i < f_.rows.size(); ++i) arrows(i);
    return {{"traceEvents", std::move(events_)},
            {"displayTimeUnit", "ns"},
            {"otherData", {{"finding", f_.id}, {"summary", printable(summary_of(f_))}, {"format", "snarl.trace/1"}}}};
  }

 private:
  // Some viewers do not take 0 for a thread.
  static uint32_t track(uint32_t ordinal) { return ordinal + 1; }

  void metadata(uint32_t thread, const char* name, const std::string& value) {
    events_.push_back({{"ph", "M"},
                       {"pid", kProcess},
                       {"tid", track(thread)},
                       {"name", name},
                       {"args", {{"name", printable(value)}}}});
  }

  static const char* category_of(const FindingRow& row) {
    switch (row.kind) {
      case RowKind::kSwitch: return "switch";
      case RowKind::kNeverGranted: return "waiting";
      case RowKind::kFailure: return "failure";
      default: return "step";
    }
  }

  void slice(const FindingRow& row, size_t i) {
    const RowWords words = words_of(row, words_, headline_);
    json arguments = {{"step", row.step}};
    if (row.place.known()) arguments["place"] = printable(path_text(row.place));
    if (!row.place.function.empty()) arguments["function"] = printable(row.place.function);
    if (!words.note.empty()) arguments["note"] = printable(words.note);
    if (row.kind == RowKind::kSwitch) arguments["reason"] = name_of(row.reason);
    if (row.skipped > 0) arguments["steps left out before it"] = row.skipped;
    events_.push_back({{"ph", "X"},
                       {"pid", kProcess},
                       {"tid", track(row.thread)},
                       {"ts", i * kSlice},
                       {"dur", kSlice},
                       {"name", words.text.empty() ? "-" : printable(words.text)},
                       {"cat", category_of(row)},
                       {"args", std::move(arguments)}});
  }

  void arrow(size_t from, size_t to) {
    const auto end = [&](const char* phase, size_t i) {
      json event = {{"ph", phase},
                    {"pid", kProcess},
                    {"tid", track(f_.rows[i].thread)},
                    {"ts", i * kSlice + kSlice / 2},
                    {"id", flows_},
                    {"name", "wakes"},
                    {"cat", "wake-up"}};
      if (*phase == 'f') event["bp"] = "e";
      events_.push_back(std::move(event));
    };
    ++flows_;
    end("s", from);
    end("f", to);
  }

  // From the row to the first step of each thread that it woke.
  void arrows(size_t i) {
    for (const uint32_t woken : f_.rows[i].wakes)
      for (size_t to = i + 1; to < f_.rows.size(); ++to) {
        const FindingRow& row = f_.rows[to];
        if (row.thread != woken || !is_step(row)) continue;
        arrow(i, to);
        break;
      }
  }

  const Finding& f_;
  ActWords words_;
  std::string headline_;
  json events_ = json::array();
  uint64_t flows_ = 0;
};

}  // namespace

std::string trace_events_text(const Finding& finding) { return json_text(TraceEvents(finding).document()); }

}  // namespace snarl::report
