#include "scan/value_track.h"

#include <algorithm>

namespace snarl::scan {
namespace {

constexpr uint32_t kCallerSaved = 0x0fc7;  // rax rcx rdx rsi rdi r8 to r11: a call may write them
constexpr uint8_t kStackPointer = 4, kFramePointer = 5;

bool is_on_stack(const Place& place) { return place.base == kStackPointer || place.base == kFramePointer; }

}  // namespace

ValueTrack::ValueTrack() : values_(1) {
  for (uint8_t reg = 0; reg < 16; ++reg) registers_[reg] = fresh(Value{.initial = reg});
}

ValueTrack::Id ValueTrack::fresh(const Value& value) {
  values_.push_back(value);
  return static_cast<Id>(values_.size() - 1);
}

ValueTrack::Id ValueTrack::value_in(const Place& place) {
  if (place.kind == Place::kRegister) return registers_[place.base];
  if (place.kind == Place::kConstant) return fresh(Value{.address = static_cast<uint64_t>(place.number)});
  if (place.kind == Place::kNone) return fresh();
  const auto known = std::ranges::find(memory_, place, &std::pair<Place, Id>::first);
  if (known != memory_.end()) return known->second;
  memory_.emplace_back(place, fresh());
  return memory_.back().second;
}

void ValueTrack::put(const Place& place, Id id) {
  if (place.kind == Place::kRegister) registers_[place.base] = id;
  if (place.kind == Place::kMemory) memory_.emplace_back(place, id);
}

void ValueTrack::forget(const ValueStep& step) {
  const uint32_t registers = step.action == Action::kCall ? kCallerSaved : step.registers;
  const bool all_memory = step.action == Action::kCall || step.writes_memory;
  for (uint8_t reg = 0; reg < 16; ++reg)
    if ((registers >> reg & 1) != 0) registers_[reg] = fresh();
  std::erase_if(memory_, [&](const auto& one) {
    const Place& place = one.first;
    const bool moved = (place.base < 16 && (registers >> place.base & 1) != 0) ||
                       (place.index < 16 && (registers >> place.index & 1) != 0);
    return moved || (all_memory && (place == step.to || !is_on_stack(place)));
  });
  if (step.writes_flags || step.action == Action::kCall) compared_ = 0;
}

// The value that a copy reads: perhaps an entry of a table.
ValueTrack::Id ValueTrack::loaded(const ValueStep& step) {
  const Place& from = step.from;
  if (from.kind != Place::kMemory || step.bytes != 4 || from.base >= 16 || from.index >= 16) return value_in(from);
  const Id base = registers_[from.base], index = registers_[from.index];
  if (from.scale == 4) return fresh(Value{.table = base, .index = index, .displacement = from.number});
  for (const auto& [table, scaled] : {std::pair(base, index), std::pair(index, base)})
    if (from.scale == 1 && values_[scaled].times_four != 0)
      return fresh(Value{.table = table, .index = values_[scaled].times_four, .displacement = from.number});
  return value_in(from);
}

void ValueTrack::copy(const ValueStep& step) {
  const Id id = loaded(step);
  forget(step);
  put(step.to, id);
}

void ValueTrack::take_address(const ValueStep& step) {
  const Place& from = step.from;
  Value value;
  if (from.kind == Place::kMemory && from.base >= 16 && from.index >= 16)
    value.address = static_cast<uint64_t>(from.number);
  if (from.base >= 16 && from.index < 16 && from.scale == 4 && from.number == 0)
    value.times_four = registers_[from.index];
  forget(step);
  put(step.to, fresh(value));
}

// Its address may have been taken twice.
bool ValueTrack::is_table_of(Id entry, Id other) const {
  const Id table = values_[entry].table;
  return table != 0 &&
         (table == other || (values_[table].address != 0 && values_[table].address == values_[other].address));
}

void ValueTrack::add(const ValueStep& step) {
  const Id to = value_in(step.to), from = value_in(step.from);
  forget(step);
  for (const auto& [entry, other] : {std::pair(to, from), std::pair(from, to)}) {
    if (!is_table_of(entry, other)) continue;
    Value sum = values_[entry];
    sum.target = true;
    return put(step.to, fresh(sum));
  }
  put(step.to, fresh());
}

void ValueTrack::branch(Condition condition, bool taken) {
  if (compared_ == 0 || condition == Condition::kOther) return;
  const bool not_above = taken ? condition == Condition::kNotAbove : condition == Condition::kAbove;
  const bool below = taken ? condition == Condition::kBelow : condition == Condition::kNotBelow;
  uint64_t& limit = values_[compared_].limit;
  if (not_above) limit = std::min(limit, compared_with_);
  if (below && compared_with_ > 0) limit = std::min(limit, compared_with_ - 1);
}

void ValueTrack::step(const ValueStep& step, bool taken) {
  const Place& from = step.from;
  const bool constant = from.kind == Place::kConstant;
  switch (step.action) {
    case Action::kCopy: return copy(step);
    case Action::kAdd: return add(step);
    case Action::kJump: jumped_ = value_in(step.to); return;
    case Action::kTakeAddress: return take_address(step);
    case Action::kMask:
      forget(step);
      return put(step.to,
                 fresh(Value{.limit = constant && from.number >= 0 ? static_cast<uint64_t>(from.number) : kUnlimited}));
    case Action::kCompare:
    case Action::kSubtract: {
      const Id compared = value_in(step.to);
      forget(step);
      compared_ = constant && from.number >= 0 ? compared : 0;
      compared_with_ = static_cast<uint64_t>(from.number);
      return;
    }
    default: branch(step.condition, taken); return forget(step);
  }
}

std::optional<JumpTable> ValueTrack::table() const {
  const Value& value = values_[jumped_];
  const uint64_t base = values_[value.table].address;
  if (!value.target || base == 0) return std::nullopt;
  const uint64_t limit = values_[value.index].limit;
  return JumpTable{base + static_cast<uint64_t>(value.displacement), base, limit == kUnlimited ? 0 : limit + 1};
}

std::optional<uint8_t> ValueTrack::missing() const {
  const Value& value = values_[jumped_];
  const Value& table = values_[value.table];
  if (!value.target || table.address != 0 || table.initial >= 16) return std::nullopt;
  return table.initial;
}

bool ValueTrack::may_be_table() const { return values_[jumped_].target || values_[jumped_].initial < 16; }

}  // namespace snarl::scan
