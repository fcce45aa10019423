#include "explain/diagnose/objects.h"

#include <fmt/format.h>

#include <utility>

namespace snarl::explain {
namespace {

// A ... Z, A1 ... Z1, A2 ...
std::string letter(size_t n) {
  const std::string name(1, static_cast<char>('A' + n % 26));
  return n < 26 ? name : name + std::to_string(n / 26);
}

bool has_number(OpKind kind) { return kind == OpKind::kIo || kind == OpKind::kKill || kind == OpKind::kHandler; }

report::FindingAct bare(const Act& act) {
  constexpr OpKinds kOnThreads = {OpKind::kCreate, OpKind::kJoin,   OpKind::kTryJoin,
                                  OpKind::kDetach, OpKind::kCancel, OpKind::kKill};
  report::FindingAct result{.kind = act.kind, .after = act.after, .result = act.result};
  if (kOnThreads.has(act.kind)) result.thread = act.other;
  if (has_number(act.kind)) result.number = act.object;
  return result;
}

}  // namespace

Act act_of(const Event& e) {
  return {.kind = e.kind,
          .after = e.after,
          .object = e.object,
          .second = second_of(e),
          .block = is_memory_access(e.kind) ? uint64_t{e.block} : 0,
          .other = other_of(e),
          .result = e.result};
}

Act act_of(const Op& op, const std::vector<wire::Thread>& threads) {
  Act act{.kind = op.kind, .after = op.after, .object = op.object, .second = op.second};
  if (is_memory_access(op.kind)) act.second = 0, act.block = op.second;
  for (const wire::Thread& t : threads)
    if (t.ordinal == op.thread && t.phase == wire::ThreadPhase::kLive) act.other = op.thread;
  return act;
}

uint32_t ObjectTable::object(uint64_t address, ObjectKind kind, const report::Location& first) {
  const auto [at, is_new] = index_.try_emplace(address, static_cast<uint32_t>(objects_.size()));
  if (is_new) objects_.push_back(make(address, kind, first));
  return at->second;
}

report::FindingObject ObjectTable::make(uint64_t address, ObjectKind kind, const report::Location& first) {
  report::FindingObject object{.kind = kind, .name = places_.variable(address), .letter = false, .first = first};
  if (object.name.empty()) {
    object.letter = true;
    do object.name = letter(letters_++);
    while (used_.contains(object.name));
  }
  const std::string base = object.name;
  for (int n = 2; !used_.insert(object.name).second; ++n) object.name = fmt::format("{}#{}", base, n);
  return object;
}

uint32_t ObjectTable::memory(const Act& act, const report::Location& place) {
  const uint32_t index = object(act.object, ObjectKind::kNone, place);
  report::FindingObject& known = objects_[index];
  if (known.letter && !known.block.known) known.block = places_.block(act.object, act.block);
  return index;
}

uint32_t ObjectTable::first_object(const Act& act, const report::Location& place) {
  if (is_memory_access(act.kind)) return memory(act, place);
  const ObjectKind kind = act.kind == OpKind::kFree ? ObjectKind::kMutex : object_of(act.kind);
  return kind == ObjectKind::kNone ? report::kNoObject : object(act.object, kind, place);
}

report::FindingAct ObjectTable::performed(const Act& act, const report::Location& place) {
  report::FindingAct result = pending(act, place);
  if (act.kind == OpKind::kWait) result.second = object(act.second, ObjectKind::kMutex, place);
  return result;
}

report::FindingAct ObjectTable::pending(const Act& act, const report::Location& place) {
  report::FindingAct result = bare(act);
  if (act.kind == OpKind::kReacquire) result.second = object(act.second, ObjectKind::kMutex, place);
  if (act.kind == OpKind::kUser) result.label = places_.label(act.object);
  result.object = first_object(act, place);
  return result;
}

report::FindingAct ObjectTable::waiting(const Act& act, const report::Location& place) {
  report::FindingAct result = bare(act);
  const ObjectKind kind = object_of(act.kind);
  if (kind != ObjectKind::kNone) result.object = object(act.object, kind, place);
  return result;
}

}  // namespace snarl::explain
