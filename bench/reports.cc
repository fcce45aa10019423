// How long the report of a long run takes: from the events to the texts of all formats. Names are a row of their own.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "explain/diagnose/diagnose.h"
#include "measure.h"
#include "report/formats/annotations.h"
#include "report/formats/finding_json.h"
#include "report/formats/junit.h"
#include "report/formats/markdown.h"
#include "report/formats/sarif.h"
#include "report/formats/trace_events.h"
#include "report/text/finding.h"
#include "symbolize/symbolizer.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr Step kSteps = 100'000;
constexpr uint32_t kThreads = 8;
constexpr int kRounds = 3;
constexpr uint64_t kCode = 0x5550'0000'0000, kLocks = 0x7000'0000'0000;

double cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Threads that lock and unlock in turn; of the events the last ones are kept, as in a run.
record::RunRecord long_run() {
  record::RunRecord r;
  r.outcome = OutcomeKind::kDeadlock;
  r.steps = kSteps;
  wire::Module module;
  module.begin = module.bias = kCode;
  module.end = kCode + 0x100000;
  r.modules = {module};
  r.events_lost = kSteps - std::min<Step>(kSteps, wire::kMaxEvents);
  for (Step step = r.events_lost + 1; step <= kSteps; ++step) {
    Event e;
    e.step = step;
    e.thread = static_cast<uint32_t>(step / 10 % kThreads) & Event::kMostThreads;
    e.kind = step % 2 == 0 ? OpKind::kLock : OpKind::kUnlock;
    e.object = kLocks + (step / 2 % 64) * 64;
    e.pc = kCode + step % 1000;
    e.switched = step % 10 == 0 ? Reason::kPreempted : Reason::kNone;
    r.events.push_back(e);
  }
  for (uint32_t ordinal = 0; ordinal < kThreads; ++ordinal) {
    wire::Thread t;
    t.phase = wire::ThreadPhase::kLive;
    t.ordinal = ordinal;
    t.pending.kind = OpKind::kLock;
    t.pending.object = kLocks;
    t.pending.pc = kCode;
    r.threads.push_back(t);
  }
  return r;
}

size_t write_all(const record::RunRecord& record) {
  symbolize::Symbolizer symbolizer;
  const report::Finding finding = explain::diagnose(record, &record, symbolizer, explain::FindingContext());
  const std::vector<report::Finding> findings{finding};
  const report::Summary summary;
  const report::Results results{summary, findings, {.exit_code = 1}, {"/", "/"}};
  return report::finding_json_text(finding).size() + report::finding_text(finding).size() +
         report::trace_events_text(finding).size() + report::sarif_text(results).size() +
         report::junit_text(results).size() + report::markdown_text(results).size() +
         report::annotations_text(results).size();
}

}  // namespace

void measure_reports() {
  const record::RunRecord record = long_run();
  double best = 1e9;
  size_t bytes = 0;
  for (int i = 0; i < kRounds; ++i) {
    const double begin = cpu_s();
    bytes = write_all(record);
    best = std::min(best, cpu_s() - begin);
  }
  row(fmt::format("report of 100,000 steps in all formats, {} KiB, CPU time", bytes / 1024),
      fmt::format("{:.2f} s", best), "< 1 s", best);
}

}  // namespace snarl::bench
