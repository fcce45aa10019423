#include "explain/diagnose/diagnose.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "explain/diagnose/cause.h"
#include "explain/diagnose/misuse.h"
#include "explain/diagnose/objects.h"
#include "explain/diagnose/places.h"
#include "explain/diagnose/rounds.h"
#include "explain/diagnose/rows.h"
#include "explain/diagnose/sources.h"
#include "explain/diagnose/switch_rows.h"
#include "explain/diagnose/threads.h"
#include "explain/sanitizer_report.h"
#include "explain/stuck.h"
#include "record/modules.h"
#include "report/text/finding_words.h"
#include "report/text/location_text.h"
#include "schedule/ordinal.h"
#include "symbolize/paths.h"

namespace snarl::explain {
namespace {

constexpr size_t kMaxRows = 20'000;       // in report.json, the last ones
constexpr size_t kMaxDecisions = 10'000;  // in report.json, from both ends; schedule.snarl has all
constexpr size_t kTailBytes = 4096;       // of stdout and stderr
constexpr int kAbort = 6;                 // SIGABRT on Linux

std::string tail(const std::string& text) {
  if (text.size() <= kTailBytes) return text;
  const size_t line = text.find('\n', text.size() - kTailBytes);
  return line == std::string::npos ? text.substr(text.size() - kTailBytes) : text.substr(line + 1);
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

// A run that was ended so shows rounds that look alike.
bool goes_in_circles(OutcomeKind outcome) {
  return outcome == OutcomeKind::kLivelock || outcome == OutcomeKind::kStepBudget || outcome == OutcomeKind::kTimeout;
}

void cut_rows(report::Finding& f) {
  if (f.rows.size() <= kMaxRows) return;
  const auto end = f.rows.end() - static_cast<std::ptrdiff_t>(kMaxRows);
  f.rows_lost = std::accumulate(f.rows.begin(), end, f.rows_lost, [](uint64_t sum, const report::FindingRow& r) {
    return sum + r.skipped + report::is_step(r);
  });
  f.rows.erase(f.rows.begin(), end);
}

// What the sanitizer says besides: who did what to the memory.
void add_deeds(report::Finding& f, const record::RunRecord& r, const std::string& directory) {
  f.deeds = sanitizer_deeds(r.err, directory);
  const auto failing = std::ranges::find(f.threads, f.failing_thread, &report::FindingThread::ordinal);
  if (f.deeds.empty() || failing == f.threads.end()) return;
  f.deeds.insert(f.deeds.begin(), {report::DeedKind::kUsed, failing->ordinal, {}, failing->place, failing->stack});
}

int weight_of(const report::FindingThread& t, const record::RunRecord& r) {
  constexpr int kFails = 100;
  if (t.state == report::ThreadState::kFailed || t.state == report::ThreadState::kRunning) return kFails;
  if (t.state == report::ThreadState::kEnded) return -1;
  const auto thread = std::ranges::find(r.threads, t.ordinal, &wire::Thread::ordinal);
  const bool blocked = t.state == report::ThreadState::kBlocked && thread != r.threads.end();
  return 2 * (blocked ? static_cast<int>(stuck(r, *thread)) : 0) + (t.ordinal != 0);
}

// The failing thread's, or that of the thread of a deadlock that is stuck most; main last, as it often waits for all.
report::Location place_of_failure(const report::Finding& f, const record::RunRecord& r) {
  const report::FindingThread* best = nullptr;
  int best_weight = -1;
  for (const report::FindingThread& t : f.threads)
    if (const int weight = weight_of(t, r); weight > best_weight) best = &t, best_weight = weight;
  return best != nullptr ? best->place : report::Location();
}

// Builds one finding from one record (the traced one, where there is one).
class Diagnosis {
 public:
  Diagnosis(const record::RunRecord& record, symbolize::Symbolizer& symbolizer, const std::string& directory)
      : r_(record),
        places_(record, symbolizer, directory),
        objects_(places_),
        rows_(record, places_, objects_),
        threads_(record, places_, objects_, rows_) {}

  void fill(report::Finding& f, const Cause* cause = nullptr) {
    f.rows = r_.events.empty() ? switch_rows(r_, places_) : rows_.build();
    for (const wire::Thread& t : r_.threads)
      if (t.phase != wire::ThreadPhase::kUnused) f.threads.push_back(threads_.describe(t));
    if (const wire::MisuseEntry* misuse = misuse_of(r_))
      fill_misuse(f, r_, *misuse, places_, objects_);
    else
      fill_outcome(f);
    if (cause != nullptr && cause->state != CauseState::kNone) fill_cause(f, *cause, places_, objects_, r_);
    fill_pattern(f, cause, places_, objects_, r_);
    fill_end(f);
    if (r_.chosen_deadlines != 0 && !r_.fails_without_choice) fill_deadline(f.deadline);
    f.objects = objects_.take();
  }

  void fill_decisions(report::Finding& f) {
    const std::vector<Decision>& decisions = r_.decisions;
    const std::vector<const report::Location*> places = rows_.switch_places(decisions);
    for (size_t i = 0; i < decisions.size(); ++i) {
      if (decisions.size() > kMaxDecisions && i >= kMaxDecisions / 10 && i < decisions.size() - kMaxDecisions * 9 / 10)
        continue;
      const Decision& d = decisions[i];
      const bool from_timer = is_timer_ordinal(d.from), to_timer = is_timer_ordinal(d.to);
      const report::Location place = places[i] != nullptr ? *places[i]
                                     : from_timer         ? report::Location()
                                                          : places_.place(d.pc);
      f.decisions.push_back(
          {d.step, thread_ordinal(d.from), thread_ordinal(d.to), d.reason, d.kind, d.nth, place, from_timer, to_timer});
    }
  }

 private:
  void fill_outcome(report::Finding& f) {
    f.self_deadlock = waits_for_itself(r_);
    if (r_.outcome == OutcomeKind::kTimeout) f.last_to_run = last_to_run(r_);
    if (r_.outcome != OutcomeKind::kException)
      f.place = place_of_failure(f, r_);  // its stack is gone when it is caught
    if (is_sanitizers(r_)) add_deeds(f, r_, places_.directory());
  }

  // The last row, and how many rows are worth keeping.
  void fill_end(report::Finding& f) {
    if ((fails_in_one_thread(r_.outcome) || misuse_of(r_) != nullptr) && !f.rows.empty())
      f.rows.push_back({.kind = report::RowKind::kFailure, .thread = f.failing_thread, .place = f.place});
    f.rows_lost = r_.events_lost;
    if (!r_.events.empty() && !f.rows.empty()) add_lost_switches(f, r_, places_);
    if (goes_in_circles(r_.outcome)) leave_out_rounds(f.rows);
    cut_rows(f);
  }

  void fill_deadline(report::FindingDeadline& deadline) {
    const ChosenDeadline& chosen = r_.chosen_deadline;
    deadline.nanoseconds = static_cast<uint64_t>(chosen.span);
    deadline.count = r_.chosen_deadlines;
    deadline.alarm = is_alarm_ordinal(chosen.timer);
    deadline.thread = thread_ordinal(chosen.timer);
    deadline.set_at = places_.place_in_user_code(chosen.set_pc);
    deadline.other = thread_ordinal(chosen.other);
    if (chosen.other_pc != 0) deadline.other_at = places_.place_in_user_code(chosen.other_pc);
  }

  const record::RunRecord& r_;
  Places places_;
  ObjectTable objects_;
  Rows rows_;
  ThreadStates threads_;
};

void fill_run(report::Finding& f, const record::RunRecord& r, const FindingContext& context) {
  f.id = context.id;
  f.signature = signature_of(r);
  f.hash = signature_hash(f.signature);
  f.confirmed = context.confirmed;
  f.doubt = context.doubt;
  f.policy = context.policy;
  f.key = r.key;
  f.settings = r.settings;
  f.schedules_before = context.schedules_before;
  f.seconds = context.seconds;
  f.switches = r.switches;
  if (context.switches_before != r.switches) f.switches_before_minimizing = context.switches_before;
  f.steps = r.steps;
  f.program = context.program;
  f.argv = context.argv;
  f.commands = context.commands;
  if (f.commands.empty()) f.commands = commands_for(context.id);
}

// libstdc++ says why it aborts, somewhere in what the program has written.
void fill_exception(report::Finding& f, const std::string& err) {
  constexpr std::string_view kThrown = "terminate called after throwing an instance of '", kWhat = "\n  what():  ";
  const size_t thrown = err.rfind(kThrown), type = thrown + kThrown.size();
  const size_t end = thrown == err.npos ? err.npos : err.find('\'', type);
  if (end == err.npos) return;
  f.exception = err.substr(type, end - type);
  if (err.compare(end + 1, kWhat.size(), kWhat) != 0) return;
  const size_t what = end + 1 + kWhat.size();
  f.exception_says = err.substr(what, err.find('\n', what) - what);
}

void fill_failure(report::Finding& f, const record::RunRecord& r) {
  f.out_tail = tail(r.out);
  f.err_tail = tail(is_sanitizers(r) ? without_shadow(r.err) : r.err);
  if (misuse_of(r) != nullptr) return;
  f.outcome = r.outcome;
  f.message = has_reason(r.outcome) ? r.message : "";
  if (is_sanitizers(r)) f.sanitizer_error = sanitizer_error(r.message);
  if (r.outcome == OutcomeKind::kTimeout) f.run_seconds = r.seconds;
  if (r.outcome == OutcomeKind::kSignal) f.signal = r.signal, f.fault_address = r.fault_address;
  if (r.outcome == OutcomeKind::kSignal && r.signal == kAbort) fill_exception(f, r.err);
  f.exit_code = r.exit_code;
  f.expected_exit = r.expectations == nullptr ? 0 : r.expectations->exit_code;
  f.wrong_output = r.wrong_output;
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
  diagnosis.fill(f, same ? context.cause : nullptr);
  diagnosis.fill_decisions(f);
  f.build_id = program_build_id(record::loaded_modules(source.modules), context.program);
  fill_sources(f, context.program);
  return f;
}

namespace {

// "read at FILE:12 in size() and the write at FILE:20 in push()", the earlier one first.
std::string accesses_text(const wire::RaceEntry& race, Places& places) {
  const auto access = [&](OpKind op, uint64_t pc) {
    const report::Location at = places.place_in_user_code(pc);
    return std::string(is_memory_read(op) ? "read" : "write") + " at " + report::place_text(at) +
           (at.function.empty() ? "" : " in " + at.function);
  };
  return access(race.other_op, race.other_pc) + " and the " + access(race.op, race.pc);
}

}  // namespace

std::string unordered_text(const record::RunRecord& record, const wire::RaceEntry& race,
                           symbolize::Symbolizer& symbolizer, const std::string& directory) {
  Places places(record, symbolizer, directory);
  if (record.predicted != record::Predicted::kNo)
    return "By what schedule " + std::to_string(record.key.index) + " did, the " + accesses_text(race, places) +
           " could come together";
  const auto lock = [&](uint64_t pc) { return report::place_text(places.place_in_user_code(pc)); };
  if (is_lock_order(race))
    return "Two threads take the same two locks in opposite orders, the second ones at " + lock(race.other_pc) +
           " and at " + lock(race.pc);
  return "Nothing that snarl sees orders the " + accesses_text(race, places);
}

std::string note_text(const record::RunRecord& record, symbolize::Symbolizer& symbolizer,
                      const std::string& directory) {
  if (const wire::RaceEntry* race = possible_race_of(record))
    return unordered_text(record, *race, symbolizer, directory) +
           (is_lock_order(*race) ? ", but no schedule was found in which both wait there."
                                 : ", but no schedule was found in which both threads stand there.");
  const wire::MisuseEntry* misuse = misuse_of(record);
  if (misuse == nullptr) return "";
  report::Finding f;
  const record::RunRecord source = up_to_misuse(record);
  Diagnosis(source, symbolizer, directory).fill(f);
  return report::message_of(f);
}

Schedule schedule_of(const record::RunRecord& record, const FindingContext& context, uint32_t cpus,
                     const report::Finding* finding) {
  const std::vector<LoadedModule> modules = record::loaded_modules(record.modules);
  Schedule s;
  s.program = context.program;
  s.build_id = program_build_id(modules, context.program);
  s.argv = context.argv;
  s.start = context.start;
  s.policy = context.policy;
  s.key = record.key;
  s.settings = record.settings;
  s.functions = record.functions;
  s.unpatched = record.unpatched;
  s.expectations = record.expectations;
  s.cpus = cpus;
  s.aslr = record.random_addresses;
  const bool failed = misuse_of(record) != nullptr || is_failure(record.outcome);
  s.failure = failed ? kind_of(record) : "";
  s.signature = failed ? signature_of(record) : "";
  s.cut = record.decisions_cut;
  set_switches(s, record.decisions, modules);
  if (record.places != nullptr) set_places(s, record.places->all());
  if (record.spin_loads != nullptr) set_spin_loads(s, record.spin_loads->all());
  if (finding == nullptr || finding->decisions.size() != s.switches.size()) return s;
  for (size_t i = 0; i < s.switches.size(); ++i) {
    const report::Location& place = finding->decisions[i].place;
    s.switches[i].comment = place.file.empty() ? "" : place.function + " " + report::place_text(place);
  }
  return s;
}

}  // namespace snarl::explain
