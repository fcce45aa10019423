#include "coseq/host/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>

#include "base/hash.h"

namespace snarl::coseq {
namespace {

using report::FindingAct;
using report::FindingRow;
using report::FindingThread;
using report::Location;
using report::RowKind;

constexpr size_t kMostRows = 400;  // of the table: the end of a long run

class Explainer {
 public:
  Explainer(Lane& lane, const Ended& end, const std::vector<TraceStep>& trace)
      : lane_(lane), end_(end), trace_(trace) {}

  report::Finding finding() {
    rows();
    threads();
    outcome();
    finding_.steps = end_.steps;
    finding_.switches = finding_.decisions.size();
    finding_.signature = fmt::format("{} at {}:{} in {}", report::kind_of(finding_), finding_.place.file,
                                     finding_.place.line, finding_.place.function);
    finding_.hash = fmt::format("{:06x}", hash_text(finding_.signature) & 0xffffff);
    finding_.out_tail = lane_.output();
    return std::move(finding_);
  }

 private:
  Location location(uint32_t place) const {
    Location location;
    const LaneProgram& program = lane_.program();
    const LanePlace& known = program.places[place];
    location.function = known.function;
    if (known.line == 0) return location;
    location.path = known.file;
    location.file =
        std::filesystem::path(known.file).is_absolute()
            ? std::filesystem::path(known.file).lexically_proximate(std::filesystem::current_path()).string()
            : std::string(known.file);
    location.line = static_cast<int>(known.line);
    return location;
  }

  // The innermost place of the program's own: models have no lines.
  Location own_place(const TraceStep& step) const {
    for (const uint32_t place : step.places)
      if (lane_.program().places[place].line != 0) return location(place);
    return {};
  }
  report::Stack stack(const TraceStep& step) const {
    report::Stack stack;
    for (const uint32_t place : step.places)
      if (lane_.program().places[place].line != 0) stack.push_back(location(place));
    return stack;
  }

  uint32_t object(uint32_t address, ObjectKind kind, const Location& first) {
    if (address == 0) return report::kNoObject;
    const auto [found, is_new] = objects_.try_emplace(address, static_cast<uint32_t>(finding_.objects.size()));
    if (!is_new) return found->second;
    report::FindingObject made;
    made.kind = kind;
    made.first = first;
    const LaneProgram& program = lane_.program();
    for (uint32_t i = 0; i < program.name_count; ++i) {
      const LaneGlobal& global = program.names[i];
      if (address < global.address || address >= global.address + global.size) continue;
      const uint32_t offset = address - global.address;
      made.name = offset == 0 ? std::string(global.name) : fmt::format("{}+{}", global.name, offset);
    }
    if (made.name.empty()) {
      made.letter = true;
      made.name = letters_ < 26 ? std::string(1, static_cast<char>('A' + letters_)) : fmt::format("A{}", letters_);
      ++letters_;
    }
    finding_.objects.push_back(made);
    return found->second;
  }

  OpKind kind_of(const TraceStep& step) const {
    return step.kind == 0 ? OpKind::kStart : static_cast<OpKind>(step.kind);
  }

  FindingAct act(const TraceStep& step) {
    FindingAct act;
    act.kind = kind_of(step);
    if (act.kind == OpKind::kAfter && last_.count(step.ordinal) != 0) act.after = last_[step.ordinal].kind;
    if (act.kind == OpKind::kCreate) act.thread = created_++;
    if (act.kind == OpKind::kJoin)
      act.thread = ordinal_at(step.object);
    else if (act.kind != OpKind::kAfter)
      act.object = object(step.object, object_of(act.kind), own_place(step));
    if (act.kind == OpKind::kAfter) act.object = last_[step.ordinal].object;
    if (act.kind == OpKind::kAfter && act.after == OpKind::kCreate) act.thread = last_[step.ordinal].thread;
    return act;
  }

  // The thread whose record is at this address: that of the join's point.
  uint32_t ordinal_at(uint32_t address) const {
    const uint32_t first = kLaneHeader + offsetof(LaneHeader, threads);
    return address < first ? 0 : lane_.thread((address - first) / sizeof(LaneThread)).ordinal;
  }

  void track(const TraceStep& step, const FindingAct& act) {
    const bool has_state = step.object >= kLaneGlobals && step.object < kLaneOutput;
    if (!has_state) {  // a lock that the lane itself has, of a stream
    } else if (act.kind == OpKind::kLock || act.kind == OpKind::kTryLock || act.kind == OpKind::kReadLock ||
               act.kind == OpKind::kWriteLock)
      taken_[{step.object, step.ordinal}] = step;
    last_[step.ordinal] = act;
    starts_.try_emplace(step.ordinal, step.start);
    ++counts_[step.ordinal];
  }

  void rows() {
    const TraceStep* before = nullptr;
    for (size_t i = 0; i < trace_.size(); ++i) {
      const TraceStep& step = trace_[i];
      const FindingAct doing = act(step);
      if (before != nullptr && before->slot != step.slot) switched(*before, step);
      track(step, doing);
      before = &step;
      if (trace_.size() - i > kMostRows) {
        ++finding_.rows_lost;
        continue;
      }
      FindingRow row;
      row.step = step.step;
      row.thread = step.ordinal;
      row.act = doing;
      row.place = own_place(step);
      finding_.rows.push_back(row);
    }
  }

  void switched(const TraceStep& from, const TraceStep& to) {
    if (to.step == 0) return;
    report::FindingSwitch made;
    made.step = to.step - 1;
    made.from = from.ordinal;
    made.to = to.ordinal;
    const bool over = last_[from.ordinal].kind == OpKind::kExit;
    const TraceStep* next = nullptr;  // what `from` had arrived at: its next step, if it has one
    for (const TraceStep* at = &to; at != trace_.data() + trace_.size() && next == nullptr; ++at)
      if (at->ordinal == from.ordinal) next = at;
    const OpKind kind = next == nullptr ? OpKind::kNone : kind_of(*next);
    const bool waits = next == nullptr ? !over
                                       : kind == OpKind::kJoin || kind == OpKind::kReacquire ||
                                             kind == OpKind::kBarrierPass || kind == OpKind::kSleep;
    made.reason = over ? Reason::kEnded : waits ? Reason::kBlocked : Reason::kPreempted;
    made.operation = kind;
    if (next != nullptr) made.place = own_place(*next);
    made.nth = counts_[from.ordinal];
    finding_.decisions.push_back(made);
    if (over) return;
    FindingRow row;
    row.kind = RowKind::kSwitch;
    row.thread = from.ordinal;
    row.reason = made.reason;
    row.place = made.place;
    row.act.kind = kind;
    if (next != nullptr && kind != OpKind::kAfter && kind != OpKind::kCreate)
      row.act.object = object(next->object, object_of(kind), made.place);
    if (kind == OpKind::kJoin) row.act.thread = ordinal_at(next->object), row.act.object = report::kNoObject;
    finding_.rows.push_back(row);
  }

  void threads() {
    const LaneHeader& h = lane_.header();
    for (uint32_t ordinal = 0; ordinal < h.created; ++ordinal) {
      FindingThread thread;
      thread.ordinal = ordinal;
      thread.state = report::ThreadState::kEnded;
      thread.steps = counts_[ordinal];
      const uint32_t start = starts_[ordinal] - kLaneFunctions;  // of main: far beyond all functions
      if (ordinal != 0 && start < lane_.program().function_count) thread.label = lane_.program().functions[start];
      for (uint32_t slot = 0; slot < h.slots; ++slot)
        if (h.threads[slot].state == kThreadLives && h.threads[slot].ordinal == ordinal) living(slot, thread);
      finding_.threads.push_back(thread);
    }
  }

  TraceStep arrival(uint32_t slot) const {
    const LaneThread& t = lane_.thread(slot);
    TraceStep step;
    step.ordinal = t.ordinal;
    step.slot = slot;
    step.object = t.object;
    step.kind = t.pc < lane_.program().function_count ? 0 : lane_.program().places[t.pc].kind;
    step.places.push_back(t.pc);
    for (uint32_t frame = t.frame; step.places.size() < 64 && lane_.word(frame) != 0; frame = lane_.word(frame + 4))
      step.places.push_back(lane_.word(frame));
    return step;
  }

  void living(uint32_t slot, FindingThread& thread) {
    const LaneHeader& h = lane_.header();
    const bool failing = end_.status != kLaneDeadlock && end_.status != kLaneLivelock && h.current == slot;
    const TraceStep at = failing && !trace_.empty() ? trace_.back() : arrival(slot);
    thread.place = own_place(at);
    thread.stack = stack(at);
    holds(slot, thread);
    if (failing) {
      thread.state = report::ThreadState::kFailed;
      finding_.failing_thread = thread.ordinal;
      return;
    }
    const bool enabled = lane_.is_enabled(slot);
    thread.state = end_.status == kLaneLivelock && enabled ? report::ThreadState::kSpinning
                   : enabled                               ? report::ThreadState::kReady
                                                           : report::ThreadState::kBlocked;
    thread.doing = enabled ? report::Doing::kPending : report::Doing::kWaits;
    thread.act = act(at);
    const bool is_lock = thread.act.kind == OpKind::kLock || thread.act.kind == OpKind::kReadLock ||
                         thread.act.kind == OpKind::kWriteLock;
    if (enabled || !is_lock) return;
    const uint32_t owner = thread.act.kind == OpKind::kLock ? lane_.word(at.object) : lane_.word(at.object + 4);
    if (owner == 0 || owner > kLaneThreads) return;
    thread.held_by = lane_.thread(owner - 1).ordinal;
    finding_.self_deadlock |= owner - 1 == slot;
    FindingRow row;
    row.kind = RowKind::kNeverGranted;
    row.thread = thread.ordinal;
    row.act = thread.act;
    row.place = thread.place;
    row.holders = {thread.held_by};
    finding_.rows.push_back(row);
  }

  void holds(uint32_t slot, FindingThread& thread) {
    for (const auto& [what, step] : taken_)
      if (what.second == thread.ordinal && step.kind != static_cast<uint32_t>(OpKind::kReadLock) &&
          lane_.word(what.first + (step.kind == static_cast<uint32_t>(OpKind::kWriteLock) ? 4 : 0)) == slot + 1)
        thread.holds.push_back({objects_.at(what.first), own_place(step), stack(step)});
  }

  void outcome() {
    const LaneHeader& h = lane_.header();
    if (lane_.failed_at() >= 0) {
      const LaneProgram& program = lane_.program();
      if (program.places[lane_.failed_at()].line != 0)
        finding_.place = location(static_cast<uint32_t>(lane_.failed_at()));
    }
    if (!finding_.place.known() && !trace_.empty() && end_.status != kLaneDeadlock)
      finding_.place = own_place(trace_.back());
    if (end_.status == kLaneDeadlock || end_.status == kLaneLivelock)
      for (const FindingThread& thread : finding_.threads)
        if (thread.doing == report::Doing::kWaits && thread.ordinal != 0 && !finding_.place.known())
          finding_.place = thread.place;
    if (!finding_.place.known() && !finding_.threads.empty()) finding_.place = finding_.threads[0].place;
    for (FindingThread& thread : finding_.threads)
      if (thread.state == report::ThreadState::kFailed) {
        thread.place = finding_.place;
        if (!thread.stack.empty()) thread.stack[0] = finding_.place;
      }
    switch (end_.status) {
      case kLaneExit:
        finding_.outcome = OutcomeKind::kExit;
        finding_.exit_code = static_cast<int>(h.info);
        break;
      case kLaneAssert:
        finding_.outcome = OutcomeKind::kAssert;
        finding_.message = lane_.text_at(h.info);
        if (h.line != 0) finding_.place.line = static_cast<int>(h.line);
        break;
      case kLaneDeadlock: finding_.outcome = OutcomeKind::kDeadlock; break;
      case kLaneLivelock: finding_.outcome = OutcomeKind::kLivelock; break;
      case kLaneAbort: fault(SIGABRT, ""); break;
      case kLaneDivision: fault(SIGFPE, "division by zero"); break;
      case kLaneStackOverflow:
        fault(SIGSEGV, fmt::format("the stack of a thread, {} bytes in a lane, is full", +kLaneStackSize));
        break;
      case kLaneDoubleFree: check("double-free", h.info); break;
      case kLaneBadFree: check("bad-free", h.info); break;
      case kLaneBadCall: fault(SIGSEGV, "a call through a pointer that is no function's"); break;
      case kLaneUnreachable: fault(SIGILL, "undefined behaviour: code that can't be reached was"); break;
      case kLaneMisuse: misuse(); break;
      case kLaneBadAccess: bad_access(); break;
      default: finding_.outcome = OutcomeKind::kStepBudget;
    }
  }

  void fault(int signal, const std::string& message) {
    finding_.outcome = OutcomeKind::kSignal;
    finding_.signal = signal;
    finding_.message = message;
  }
  void check(const char* what, uint32_t address) {
    finding_.outcome = OutcomeKind::kCheck;
    finding_.sanitizer_error = what;
    finding_.fault_address = address;
    finding_.message = fmt::format("{} of the block at {:#x}", what, address);
  }

  void bad_access() {
    const uint32_t address = lane_.header().info;
    const uint8_t shadow = lane_.memory()[kLaneShadow + (address >> 3)];
    finding_.fault_address = address;
    if (address < kLaneHeader) return fault(SIGSEGV, "a null pointer, or what is near it");
    if (shadow == kShadowFreed) return check("heap-use-after-free", address);
    if (shadow == kShadowHeap) return check("heap-buffer-overflow", address);
    if (shadow != 0)
      return check(address >= kLaneHeap && address < kLaneHeapEnd ? "heap-buffer-overflow" : "global-buffer-overflow",
                   address);
    fault(SIGSEGV, "a pointer to no memory of the program");
  }

  void misuse() {
    const LaneHeader& h = lane_.header();
    const uint32_t other = h.detail >> 8 & 0xff;  // 1 + its slot
    report::FindingMisuse& misuse = finding_.misuse;
    finding_.outcome = OutcomeKind::kOk;
    misuse.kind = static_cast<MisuseKind>(h.detail & 0xff);
    misuse.op = trace_.empty() ? OpKind::kUnlock : kind_of(trace_.back());
    misuse.thread = finding_.failing_thread;
    if (other != 0 && other <= kLaneThreads) misuse.other = lane_.thread(other - 1).ordinal;
    if (misuse.kind == MisuseKind::kRace) return race();
    if (misuse.op == OpKind::kJoin) {
      misuse.joined = misuse.other == kNobody ? 0 : misuse.other;
      return;
    }
    misuse.object_kind = misuse.kind == MisuseKind::kWaitNotOwner ? ObjectKind::kMutex : object_of(misuse.op);
    misuse.object = object(h.info, misuse.object_kind, finding_.place);
  }

  void race() {
    const LaneHeader& h = lane_.header();
    report::FindingMisuse& misuse = finding_.misuse;
    const bool write = (h.detail >> 16 & 1) != 0, atomic = (h.detail >> 17 & 1) != 0;
    misuse.other_op = atomic  ? (write ? OpKind::kAtomicStore : OpKind::kAtomicLoad)
                      : write ? OpKind::kWrite
                              : OpKind::kRead;
    misuse.other_place = location(h.line);
    misuse.object = object(h.info, ObjectKind::kNone, finding_.place);
    const LanePlace* places = lane_.program().places;
    const report::Stack here = trace_.empty() ? report::Stack{finding_.place} : stack(trace_.back());
    const auto add = [&](uint32_t thread, OpKind op, const Location& place, const report::Stack& calls, uint32_t size) {
      report::FindingDeed deed{report::DeedKind::kAccess, thread, op, place, calls};
      deed.size = size;
      finding_.deeds.push_back(deed);
    };
    const auto last = static_cast<uint32_t>(std::max<int64_t>(0, lane_.failed_at()));
    add(misuse.thread, misuse.op, finding_.place, here, places[last].size);
    add(misuse.other, misuse.other_op, misuse.other_place, {misuse.other_place}, places[h.line].size);
  }

  Lane& lane_;
  const Ended& end_;
  const std::vector<TraceStep>& trace_;
  report::Finding finding_;
  std::map<uint32_t, uint32_t> objects_;
  std::map<uint32_t, FindingAct> last_;
  std::map<uint32_t, uint64_t> counts_;
  std::map<uint32_t, uint32_t> starts_;
  std::map<std::pair<uint32_t, uint32_t>, TraceStep> taken_;
  uint32_t created_ = 1;
  unsigned letters_ = 0;
};

}  // namespace

bool is_failure(const Ended& end, uint32_t info) {
  if (end.status == kLaneExit) return info != 0;
  return end.status != kLaneTooLong && end.status != kLaneNoMemory && end.status != kLaneTooManyThreads &&
         end.status != kLaneComputes && end.status != kLaneLimit;
}

report::Finding explain(Lane& lane, const Ended& end, const std::vector<TraceStep>& trace) {
  return Explainer(lane, end, trace).finding();
}

}  // namespace snarl::coseq
