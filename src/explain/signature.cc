#include "explain/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/hash.h"
#include "explain/sanitizer_report.h"
#include "explain/stuck.h"
#include "record/modules.h"
#include "symbolize/names.h"
#include "symbolize/paths.h"

namespace snarl::explain {
namespace {

constexpr size_t kSignatureFrames = 6;  // -O0 puts up to five wrappers of std::mutex around a lock

const LoadedModule* own_module(const std::vector<LoadedModule>& modules, uint64_t pc) {
  for (const LoadedModule& m : modules)
    if (m.begin <= pc && pc < m.end) return symbolize::is_system_module(m.path) ? nullptr : &m;
  return nullptr;
}

bool is_programs(const std::vector<LoadedModule>& modules, const LoadedModule* m) {
  return m != nullptr && symbolize::is_own_module(m->path, modules.front().path);
}

// " bank+0x11c9 bank+0x1302": the innermost frames in the program's own modules, at most `most`; if there is none, in
// libraries that are not libc's.
std::string own_frames(const record::RunRecord& r, uint32_t stack, uint64_t pc, size_t most,
                       const std::vector<LoadedModule>& modules) {
  const std::span<const uint64_t> frames = r.stack(stack);
  std::vector<uint64_t> addresses(frames.begin(), frames.end());
  if (addresses.empty()) addresses.push_back(pc);
  const bool any_own =
      std::ranges::any_of(addresses, [&](uint64_t a) { return is_programs(modules, own_module(modules, a)); });
  std::string text;
  for (uint64_t address : addresses) {
    const LoadedModule* m = own_module(modules, address);
    if (m == nullptr || most == 0 || (any_own && !is_programs(modules, m))) continue;
    text += fmt::format(" {}+{:#x}", symbolize::base_name(m->path), address - m->bias);
    --most;
  }
  return text;
}

// Without the threads that only wait for work: how many of them do differs between schedules.
std::string deadlock_signature(const record::RunRecord& r) {
  const std::vector<LoadedModule> modules = record::loaded_modules(r.modules);
  const auto is_blocked = [](const wire::Thread& t) { return t.phase == wire::ThreadPhase::kLive && t.enabled == 0; };
  const auto is_idle = [&](const wire::Thread& t) { return stuck(r, t) == Stuck::kIdle; };
  const bool all_idle =
      std::ranges::none_of(r.threads, [&](const wire::Thread& t) { return is_blocked(t) && !is_idle(t); });
  std::vector<std::string> blocked;
  for (const wire::Thread& t : r.threads)
    if (is_blocked(t) && (all_idle || !is_idle(t)))
      blocked.push_back(name_of(t.pending.kind) + own_frames(r, t.stack, t.pending.pc, kSignatureFrames, modules));
  std::ranges::sort(blocked);
  return fmt::format("{}", fmt::join(blocked, "; "));
}

// The innermost of the failing thread in the program's own code.
std::string failing_frame(const record::RunRecord& r) {
  for (const wire::Thread& t : r.threads)
    if (t.phase == wire::ThreadPhase::kLive && t.ordinal == r.failing_thread)
      return own_frames(r, t.stack, r.fault_pc != 0 ? r.fault_pc : t.pending.pc, 1, record::loaded_modules(r.modules));
  return "";
}

// What each live thread runs: where in its loop it was stopped is chance.
std::string livelock_signature(const record::RunRecord& r) {
  const std::vector<LoadedModule> modules = record::loaded_modules(r.modules);
  std::vector<std::string> routines;
  for (const wire::Thread& t : r.threads)
    if (t.phase == wire::ThreadPhase::kLive)
      routines.push_back(t.ordinal == 0 ? "main" : "thread" + own_frames(r, 0, t.start_pc, 1, modules));
  std::ranges::sort(routines);
  return fmt::format("{}", fmt::join(routines, "; "));
}

// "read queue+0x11c9, write queue+0x1302": whichever came first.
std::string pair_of_places(const record::RunRecord& r, OpKind op, uint64_t pc, OpKind other_op, uint64_t other_pc) {
  const std::vector<LoadedModule> modules = record::loaded_modules(r.modules);
  std::string one = name_of(op) + own_frames(r, 0, pc, 1, modules);
  std::string other = name_of(other_op) + own_frames(r, 0, other_pc, 1, modules);
  if (other < one) std::swap(one, other);
  return one + ", " + other;
}

std::string race_signature(const record::RunRecord& r, OpKind op, uint64_t pc, OpKind other_op, uint64_t other_pc) {
  return std::string(name_of(MisuseKind::kRace)) + " " + pair_of_places(r, op, pc, other_op, other_pc);
}

// The call and its callers: what came before it at the other place differs between schedules.
std::string misuse_signature(const record::RunRecord& r, const wire::MisuseEntry& m) {
  if (m.what.kind == MisuseKind::kRace)
    return race_signature(r, m.what.op, m.what.pc, m.what.other_op, m.what.other_pc);
  const std::vector<LoadedModule> modules = record::loaded_modules(r.modules);
  std::string text = fmt::format("{} {}{}", name_of(m.what.kind), name_of(m.what.op),
                                 own_frames(r, m.stack, m.what.pc, kSignatureFrames, modules));
  if (m.what.kind == MisuseKind::kExitHolding) text += " taken" + own_frames(r, 0, m.what.other_pc, 1, modules);
  return text;
}

// Which line, or by which pattern; not what was written instead, which differs from schedule to schedule.
std::string wrong_output_signature(const WrongOutput& wrong) {
  return wrong.kind == WrongOutput::Kind::kForbidden ? " matches " + wrong.expected
                                                     : fmt::format(" line {}", wrong.line);
}

// Addresses in a message change with every process.
std::string without_addresses(const std::string& message) {
  std::string text;
  for (size_t i = 0; i < message.size();) {
    const bool address = message.compare(i, 2, "0x") == 0;
    text += address ? "0x?" : std::string(1, message[i]);
    i += address ? 2 : 1;
    while (address && i < message.size() && std::isxdigit(static_cast<unsigned char>(message[i]))) ++i;
  }
  return text;
}

}  // namespace

const wire::MisuseEntry* misuse_of(const record::RunRecord& record) {
  const record::Failure& failure = record.failure;
  const bool is_one = failure.kind == record::FailureKind::kMisuse && failure.index < record.misuses.size();
  return is_one ? &record.misuses[failure.index] : nullptr;
}

const wire::RaceEntry* possible_race_of(const record::RunRecord& record) {
  const record::Failure& failure = record.failure;
  const bool is_one = failure.kind == record::FailureKind::kPossibleRace && failure.index < record.races.size();
  return is_one ? &record.races[failure.index] : nullptr;
}

std::string signature_of_race(const record::RunRecord& record, const wire::RaceEntry& race) {
  return race_signature(record, race.op, race.pc, race.other_op, race.other_pc);
}

bool is_of_accesses(const std::string& signature) {
  const auto begins = [&](MisuseKind kind, const char* then) {
    return signature.starts_with(std::string(name_of(kind)) + " " + then);
  };
  if (begins(MisuseKind::kRace, "")) return true;
  for (const OpKind kind :
       {OpKind::kRead, OpKind::kWrite, OpKind::kAtomicLoad, OpKind::kAtomicStore, OpKind::kAtomicRmw, OpKind::kFree})
    if (begins(MisuseKind::kUseAfterFree, name_of(kind))) return true;
  return false;
}

std::vector<record::Failure> possible_races_of(const record::RunRecord& record) {
  std::vector<record::Failure> result;
  const auto came_together = [&](const wire::RaceEntry& race) {
    const std::string signature = signature_of_race(record, race);
    return std::ranges::any_of(record.misuses, [&](const wire::MisuseEntry& m) {
      return m.what.kind == MisuseKind::kRace && misuse_signature(record, m) == signature;
    });
  };
  for (size_t i = 0; i < record.races.size(); ++i)
    if (!came_together(record.races[i])) result.push_back(record::Failure::possible_race(i));
  return result;
}

std::vector<record::Failure> failures_of(const record::RunRecord& record) {
  std::vector<record::Failure> failures;
  for (size_t i = 0; i < record.misuses.size(); ++i)
    if (is_failure(record.misuses[i].what.kind)) failures.push_back(record::Failure::misuse(i));
  if (is_failure(record.outcome)) failures.push_back({});
  return failures;
}

std::string kind_of(const record::RunRecord& record) {
  if (const wire::RaceEntry* race = possible_race_of(record))
    return is_lock_order(*race)                         ? "possible_deadlock"
           : record.predicted != record::Predicted::kNo ? "predicted_race"
                                                        : "possible_race";
  const wire::MisuseEntry* misuse = misuse_of(record);
  return misuse != nullptr ? name_of(misuse->what.kind) : name_of(record.outcome);
}

bool choose_failure(record::RunRecord& record, const std::string& signature) {
  for (const record::Failure& failure : failures_of(record)) {
    record.failure = failure;
    if (signature_of(record) == signature) return true;
  }
  record.failure = {};
  return false;
}

std::string signature_of(const record::RunRecord& record) {
  const wire::RaceEntry* race = possible_race_of(record);
  if (race != nullptr && is_lock_order(*race))
    return "possible deadlock " + pair_of_places(record, race->op, race->pc, race->other_op, race->other_pc);
  if (race != nullptr && record.predicted != record::Predicted::kNo)
    return "predicted " + signature_of_race(record, *race);
  if (race != nullptr)
    return (race->weak.is_one == 1 ? "possible weak " : "possible ") + signature_of_race(record, *race);
  if (const wire::MisuseEntry* misuse = misuse_of(record)) return misuse_signature(record, *misuse);
  const std::string kind = name_of(record.outcome);
  switch (record.outcome) {
    case OutcomeKind::kHang:
    case OutcomeKind::kDeadlock: return kind + " " + deadlock_signature(record);
    case OutcomeKind::kLivelock: return kind + " " + livelock_signature(record);
    case OutcomeKind::kCheck:
      if (is_sanitizers(record)) return kind + " " + sanitizer_identity(record.message) + failing_frame(record);
      [[fallthrough]];
    case OutcomeKind::kException:
    case OutcomeKind::kAssert: return kind + " " + without_addresses(record.message);
    case OutcomeKind::kSignal: return fmt::format("{} {}{}", kind, record.signal, failing_frame(record));
    case OutcomeKind::kExit: return fmt::format("{} {}", kind, record.exit_code);
    case OutcomeKind::kWrongOutput: return kind + wrong_output_signature(record.wrong_output);
    default: return kind;
  }
}

std::string signature_hash(std::string_view signature) {
  return fmt::format("{:06x}", hash_text(signature) & 0xffffff);
}

}  // namespace snarl::explain
