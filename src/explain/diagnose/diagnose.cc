#include "explain/diagnose/diagnose.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "explain/diagnose/misuse.h"
#include "explain/diagnose/names.h"
#include "explain/diagnose/places.h"
#include "explain/diagnose/rounds.h"
#include "explain/diagnose/rows.h"
#include "explain/diagnose/threads.h"
#include "explain/sanitizer_report.h"
#include "explain/stuck.h"
#include "report/text/location_text.h"
#include "report/text/one_line.h"

namespace snarl::explain {
namespace {

constexpr size_t kMaxRows = 20'000;       // in report.json, the last ones
constexpr size_t kMaxDecisions = 10'000;  // in report.json, from both ends; schedule.snarl has all
constexpr size_t kTailBytes = 4096;       // of stdout and stderr

std::string tail(const std::string& text) {
  if (text.size() <= kTailBytes) return text;
  const size_t line = text.find('\n', text.size() - kTailBytes);
  return line == std::string::npos ? text.substr(text.size() - kTailBytes) : text.substr(line + 1);
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

// A thread that waits for a lock that it holds itself.
bool waits_for_itself(const record::RunRecord& r) {
  return std::ranges::any_of(r.threads, [&](const wire::Thread& t) {
    const bool locks =
        t.pending.kind == OpKind::kLock || t.pending.kind == OpKind::kReadLock || t.pending.kind == OpKind::kWriteLock;
    const bool blocked = t.phase == wire::ThreadPhase::kLive && t.enabled == 0 && locks;
    return blocked && std::ranges::any_of(r.held, [&](const wire::Held& h) {
             return h.object == t.pending.object && h.owner == t.ordinal;
           });
  });
}

std::string headline_of(const record::RunRecord& r) {
  switch (r.outcome) {
    case OutcomeKind::kSignal: return signal_name(r.signal);
    case OutcomeKind::kExit: return fmt::format("exit code {}", r.exit_code);
    case OutcomeKind::kAssert: return "assertion failed";
    case OutcomeKind::kCheck: return is_sanitizers(r) ? sanitizer_error(r.message) : "check failed";
    case OutcomeKind::kException: return "uncaught exception";
    case OutcomeKind::kDeadlock: return waits_for_itself(r) ? "self-deadlock" : "deadlock";
    case OutcomeKind::kStepBudget: return "step budget used up";
    default: return name_of(r.outcome);
  }
}

// Builds one finding from one record (the traced one, where there is one).
class Diagnosis {
 public:
  Diagnosis(const record::RunRecord& record, symbolize::Symbolizer& symbolizer, const std::string& directory)
      : r_(record),
        places_(record, loaded_modules(record.modules), symbolizer, directory),
        names_(places_),
        wording_(names_),
        rows_(record, places_, wording_),
        threads_(record, places_, wording_, rows_) {}

  void fill(report::Finding& f) {
    f.rows = r_.events.empty() ? switch_rows() : rows_.build();
    for (const wire::Thread& t : r_.threads)
      if (t.phase != wire::ThreadPhase::kUnused) f.threads.push_back(threads_.describe(t));
    if (const wire::MisuseEntry* misuse = misuse_of(r_)) {
      MisuseWords(r_, *misuse, places_, wording_).fill(f);
    } else {
      if (r_.outcome != OutcomeKind::kException) f.place = place_of_failure(f);  // its stack is gone when it is caught
      if (is_sanitizers(r_)) add_deeds(f);
    }
    if (r_.outcome == OutcomeKind::kTimeout)
      f.message += fmt::format(
          " {} had the turn: it loops or blocks between two schedule points, or needs more time"
          " (--timeout).",
          thread_name(threads_.last_to_run()));
    if ((fails_in_one_thread(r_.outcome) || misuse_of(r_) != nullptr) && !f.rows.empty())
      f.rows.push_back(
          {.thread = f.failing_thread, .operation = "fail", .text = f.headline, .place = f.place, .granted = false});
    f.rows_lost = r_.events_lost;
    if (!r_.events.empty() && !f.rows.empty()) add_lost_switches(f);
    if (goes_in_circles(r_.outcome)) leave_out_rounds(f.rows);
    if (r_.chosen_deadlines != 0 && !r_.fails_without_choice) fill_deadline(f.deadline);
    cut_rows(f);
    f.objects = names_.take();
  }

  void fill_decisions(report::Finding& f, const std::vector<Decision>& decisions) {
    const std::vector<const report::Location*> places = rows_.switch_places(decisions);
    for (size_t i = 0; i < decisions.size(); ++i) {
      if (decisions.size() > kMaxDecisions && i >= kMaxDecisions / 10 && i < decisions.size() - kMaxDecisions * 9 / 10)
        continue;
      const Decision& d = decisions[i];
      const bool from_timer = is_timer_ordinal(d.from), to_timer = is_timer_ordinal(d.to);
      const report::Location place = places[i] != nullptr ? *places[i]
                                     : from_timer         ? report::Location()
                                                          : places_.place(d.pc);
      f.decisions.push_back({d.step, thread_ordinal(d.from), thread_ordinal(d.to), name_of(d.reason), name_of(d.kind),
                             d.nth, place, from_timer, to_timer});
    }
  }

 private:
  void fill_deadline(report::FindingDeadline& deadline) {
    const ChosenDeadline& chosen = r_.chosen_deadline;
    deadline.seconds = static_cast<double>(chosen.span) / 1e9;
    deadline.count = r_.chosen_deadlines;
    deadline.who = is_alarm_ordinal(chosen.timer) ? "an alarm" : thread_name(thread_ordinal(chosen.timer));
    deadline.set_at = place_in_user_code(chosen.set_pc);
    deadline.other = thread_name(thread_ordinal(chosen.other));
    if (chosen.other_pc != 0) deadline.other_at = place_in_user_code(chosen.other_pc);
  }

  // With the stack of an event there, if there is one: the call itself may be a library's.
  report::Location place_in_user_code(uint64_t pc) {
    const auto event = std::ranges::find(r_.events, pc, &Event::pc);
    return event == r_.events.end() ? places_.place(pc) : places_.place(event->stack, pc);
  }

  // Without events: only where threads stopped.
  std::vector<report::FindingRow> switch_rows() {
    std::vector<report::FindingRow> rows;
    for (size_t i = 0; i < r_.decisions.size(); ++i) {
      const Decision& d = r_.decisions[i];
      const bool stops = !is_timer_ordinal(d.from) && end_of_way(r_.decisions, i) != d.from;
      if (stops) rows.push_back(switch_row(d));
      if (is_timer_ordinal(d.to)) rows.push_back(timeout_row(d));
    }
    return rows;
  }

  // Of the steps whose events are not told, it is known at least where threads stopped.
  void add_lost_switches(report::Finding& f) {
    std::vector<report::FindingRow> rows = switch_rows();
    const auto first = std::ranges::find_if(r_.events, [](const Event& e) { return e.step != 0; });
    const Step known = first == r_.events.end() || f.rows_lost == 0 ? 0 : first->step;
    std::erase_if(rows, [known](const report::FindingRow& row) { return row.step >= known; });
    Step before = 0;
    for (report::FindingRow& row : rows) {
      row.skipped = std::min(row.step - before, f.rows_lost);
      f.rows_lost -= row.skipped;
      before = row.step;
    }
    if (!rows.empty()) f.rows.front().skipped = std::exchange(f.rows_lost, 0);
    f.rows.insert(f.rows.begin(), rows.begin(), rows.end());
  }

  report::FindingRow switch_row(const Decision& d) {
    report::FindingRow row{.step = d.step, .thread = d.from, .operation = name_of(d.kind), .text = name_of(d.reason)};
    if (d.reason == Reason::kPreempted) row.text = "preempted by policy";
    if (d.reason == Reason::kBlocked) row.text = "wait " + Wording::verb_of(d.kind);
    row.reason = name_of(d.reason);
    row.place = places_.place(d.pc);
    return row;
  }

  // What the sanitizer says besides: who did what to the memory.
  void add_deeds(report::Finding& f) const {
    f.deeds = sanitizer_deeds(r_.err, places_.directory());
    const auto failing = std::ranges::find(f.threads, f.failing_thread, &report::FindingThread::ordinal);
    if (f.deeds.empty() || failing == f.threads.end()) return;
    f.deeds.insert(f.deeds.begin(), {report::thread_title(*failing) + " uses it", failing->place, failing->stack});
  }

  // The failing thread's, or that of the thread of a deadlock that is stuck most; main last, as it often waits for all.
  report::Location place_of_failure(const report::Finding& f) const {
    const report::FindingThread* best = nullptr;
    int best_weight = -1;
    for (const report::FindingThread& t : f.threads)
      if (const int weight = weight_of(t); weight > best_weight) best = &t, best_weight = weight;
    return best != nullptr ? best->place : report::Location();
  }
  int weight_of(const report::FindingThread& t) const {
    constexpr int kFails = 100;
    if (t.state == "failed" || t.state == "running") return kFails;
    if (t.state == "ended") return -1;
    const auto thread = std::ranges::find(r_.threads, t.ordinal, &wire::Thread::ordinal);
    const bool blocked = t.state == "blocked" && thread != r_.threads.end();
    return 2 * (blocked ? static_cast<int>(stuck(r_, *thread)) : 0) + (t.ordinal != 0);
  }

  static bool goes_in_circles(OutcomeKind outcome) {
    return outcome == OutcomeKind::kLivelock || outcome == OutcomeKind::kStepBudget || outcome == OutcomeKind::kTimeout;
  }

  static void cut_rows(report::Finding& f) {
    if (f.rows.size() <= kMaxRows) return;
    const auto end = f.rows.end() - static_cast<std::ptrdiff_t>(kMaxRows);
    f.rows_lost = std::accumulate(f.rows.begin(), end, f.rows_lost, [](uint64_t sum, const report::FindingRow& r) {
      return sum + r.skipped + report::is_step(r);
    });
    f.rows.erase(f.rows.begin(), end);
  }

  const record::RunRecord& r_;
  Places places_;
  ObjectNames names_;
  Wording wording_;
  Rows rows_;
  ThreadWords threads_;
};

void fill_run(report::Finding& f, const record::RunRecord& r, const FindingContext& context) {
  f.id = context.id;
  f.kind = kind_of(r);
  f.signature = signature_of(r);
  f.hash = signature_hash(f.signature);
  f.headline = headline_of(r);
  f.confirmed = context.confirmed;
  f.doubt = context.doubt;
  f.policy = context.policy;
  f.key = r.key;
  f.schedules_before = context.schedules_before;
  f.seconds = context.seconds;
  f.switches = r.switches;
  f.steps = r.steps;
  f.program = context.program;
  f.argv = context.argv;
  f.commands = context.commands;
  if (f.commands.empty()) f.commands = commands_for(context.id);
}

// libstdc++ says why it aborts, somewhere in what the program has written.
std::string uncaught_exception(const std::string& err) {
  constexpr std::string_view kThrown = "terminate called after throwing an instance of '", kWhat = "\n  what():  ";
  const size_t thrown = err.rfind(kThrown), type = thrown + kThrown.size();
  const size_t end = thrown == err.npos ? err.npos : err.find('\'', type);
  if (end == err.npos) return "";
  std::string text = "An exception was not caught: " + err.substr(type, end - type);
  if (err.compare(end + 1, kWhat.size(), kWhat) != 0) return text;
  const size_t what = end + 1 + kWhat.size();
  return text + ", " + err.substr(what, err.find('\n', what) - what);
}

void fill_failure(report::Finding& f, const record::RunRecord& r) {
  f.out_tail = tail(r.out);
  f.err_tail = tail(r.err);
  if (is_sanitizers(r)) f.err_tail = tail(without_shadow(r.err));
  if (misuse_of(r) != nullptr) return;
  f.message = has_reason(r.outcome) ? r.message : "";
  if (r.outcome == OutcomeKind::kTimeout)
    f.message = fmt::format("The program had not come to its end after {:.3g} s and was ended.", r.seconds);
  if (r.outcome == OutcomeKind::kSignal) f.signal = signal_name(r.signal), f.fault_address = r.fault_address;
  if (r.outcome == OutcomeKind::kSignal && r.signal == SIGABRT) f.message = uncaught_exception(r.err);
  f.exit_code = r.exit_code;
  f.failing_thread = r.failing_thread;
}

// Of a long run the end is told: nobody reads more rows than that.
constexpr size_t kMostTold = 1 << 16;

// A parallel run's events have no stacks, and no reasons for switches: it is told by its decisions.
record::RunRecord with_last_events(record::RunRecord r) {
  const size_t left_out = r.events.size() > kMostTold ? r.events.size() - kMostTold : 0;
  r.events.erase(r.events.begin(), r.events.begin() + static_cast<std::ptrdiff_t>(left_out));
  r.events_lost += left_out;
  if (r.parallel) r.events.clear(), r.events_lost = 0;
  return r;
}

// A misuse is told as it was when it happened: what came after it is cut off.
record::RunRecord up_to_misuse(record::RunRecord r) {
  const wire::MisuseEntry& misuse = *misuse_of(r);
  const uint64_t known = misuse.events > r.events_lost ? misuse.events - r.events_lost : 0;
  if (misuse.events != 0 && known < r.events.size()) r.events.resize(known);
  r.outcome = OutcomeKind::kNone;
  r.fault_pc = 0;
  r.held.clear();
  return with_last_events(std::move(r));
}

// "deadlock bank.cc:22 in transfer"
std::string summary_of(const report::Finding& f) {
  std::string text = f.headline;
  if (f.kind == name_of(OutcomeKind::kException)) return text + " " + f.message;
  if (const std::string place = report::place_text(f.place); !place.empty()) text += " " + place;
  if (!f.place.file.empty() && !f.place.function.empty()) text += " in " + f.place.function;
  if (!f.place.known() && f.kind == name_of(OutcomeKind::kExit)) text += " of " + thread_name(f.failing_thread);
  return text;
}

// The program is the first module that is not of the system; its path need not be the one that was given.
std::string program_build_id(const std::vector<LoadedModule>& modules, const std::string& program) {
  for (const LoadedModule& m : modules)
    if (m.path == program) return m.build_id;
  for (const LoadedModule& m : modules)
    if (!symbolize::is_system_module(m.path)) return m.build_id;
  return "";
}

}  // namespace

std::vector<report::FindingCommand> commands_for(const std::string& finding) {
  return {{"Replay", "snarl replay " + finding}, {"Debug", "snarl replay " + finding + " --gdb"}};
}

report::Finding diagnose(const record::RunRecord& failed, const record::RunRecord* traced,
                         symbolize::Symbolizer& symbolizer, const FindingContext& context) {
  const bool same = traced != nullptr && signature_of(*traced) == signature_of(failed);
  const record::RunRecord& whole = same ? *traced : failed;
  const record::RunRecord source = misuse_of(whole) != nullptr ? up_to_misuse(whole) : with_last_events(whole);
  report::Finding f;
  fill_run(f, failed, context);
  fill_failure(f, failed);
  if (same) f.fault_address = f.fault_address == 0 ? 0 : source.fault_address;
  Diagnosis diagnosis(source, symbolizer, context.directory);
  diagnosis.fill(f);
  diagnosis.fill_decisions(f, source.decisions);
  f.build_id = program_build_id(loaded_modules(source.modules), context.program);
  f.summary = summary_of(f);
  f.line = report::one_line_schedule(f.decisions, f.steps, 1000);
  return f;
}

std::string note_text(const record::RunRecord& record, symbolize::Symbolizer& symbolizer,
                      const std::string& directory) {
  const wire::MisuseEntry* misuse = misuse_of(record);
  if (misuse == nullptr) return "";
  report::Finding f;
  const record::RunRecord source = up_to_misuse(record);
  Diagnosis(source, symbolizer, directory).fill(f);
  return f.message;
}

Schedule schedule_of(const record::RunRecord& record, const FindingContext& context, uint32_t cpus,
                     const report::Finding* finding) {
  const std::vector<LoadedModule> modules = loaded_modules(record.modules);
  Schedule s;
  s.program = context.program;
  s.build_id = program_build_id(modules, context.program);
  s.argv = context.argv;
  s.policy = context.policy;
  s.key = record.key;
  s.settings = record.settings;
  s.functions = record.functions;
  s.unpatched = record.unpatched;
  s.cpus = cpus;
  s.aslr = record.random_addresses;
  const bool failed = misuse_of(record) != nullptr || is_failure(record.outcome);
  s.failure = failed ? kind_of(record) : "";
  s.signature = failed ? signature_of(record) : "";
  s.cut = record.decisions_cut;
  set_switches(s, record.decisions, modules);
  if (record.places != nullptr) set_places(s, record.places->all());
  if (finding == nullptr || finding->decisions.size() != s.switches.size()) return s;
  for (size_t i = 0; i < s.switches.size(); ++i) {
    const report::Location& place = finding->decisions[i].place;
    s.switches[i].comment = place.file.empty() ? "" : place.function + " " + report::place_text(place);
  }
  return s;
}

}  // namespace snarl::explain
