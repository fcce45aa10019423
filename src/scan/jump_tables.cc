#include "scan/jump_tables.h"

#include <algorithm>

#include "scan/instruction.h"

namespace snarl::scan {
namespace {

constexpr size_t kLongestPath = 64;  // instructions: compilers put the comparison nearer
constexpr size_t kMostJoins = 6;     // other ways into the path that are followed back
constexpr int kMostPaths = 24;       // that are judged for one jump

}  // namespace

std::optional<JumpTable> JumpTables::find(uint64_t jump) {
  const snarl::scan::Function* function = image_.function_of(jump);
  if (function == nullptr || !marks_.has(jump, kLinear)) return std::nullopt;
  begin_ = function->begin;
  function_ = &function_at(function->begin);
  path_.clear();
  best_.reset();
  judged_ = 0;
  done_ = false;
  enter(jump, false, 0);
  return best_;
}

const JumpTables::Function& JumpTables::function_at(uint64_t begin) {
  const auto [known, added] = functions_.try_emplace(begin);
  Function& function = known->second;
  const snarl::scan::Function* whole = image_.function_of(begin);
  Instruction one;
  for (uint64_t at = begin; added && at < whole->end; ++at) {
    if (!marks_.has(at, kLinear) || !decode_flow(at, image_.at(at), one)) continue;
    if (one.flow == Flow::kBranch || one.flow == Flow::kJump) function.branches.emplace_back(one.target, at);
    if (one.takes_address) function.taken_addresses.emplace_back(at, one.refers_to);
  }
  if (added) std::ranges::sort(function.branches);
  return function;
}

// The path now begins with this instruction: goes further back, or stops if the path suffices.
void JumpTables::enter(uint64_t address, bool taken, size_t joins) {
  const auto step = value_step(address, image_.at(address));
  if (!step || done_ || path_.size() == kLongestPath) return;
  path_.push_back({*step, address, taken});
  search(address, joins);
  path_.pop_back();
}

void JumpTables::search(uint64_t from, size_t joins) {
  const auto previous = before(from);
  const auto& branches = function_->branches;
  auto way = std::ranges::lower_bound(branches, from, {}, &std::pair<uint64_t, uint64_t>::first);
  const bool is_joined = way != branches.end() && way->first == from;
  const bool full = path_.size() == kLongestPath;
  if ((is_joined || !previous || full) && judge()) return;
  if (previous) enter(*previous, false, joins);
  if (joins == kMostJoins) return;
  for (; way != branches.end() && way->first == from; ++way) enter(way->second, true, joins + 1);
}

// The instruction that leads to this one.
std::optional<uint64_t> JumpTables::before(uint64_t address) const {
  if (address == begin_) return std::nullopt;
  uint64_t at = address - 1;
  while (at > begin_ && marks_.has(at, kLinearBody)) --at;
  Instruction one;
  return decode_flow(at, image_.at(at), one) && leads_on(one) ? std::optional(at) : std::nullopt;
}

// True if the search is over.
bool JumpTables::judge() {
  ValueTrack track;
  const auto run = [this, &track] {
    for (size_t i = path_.size(); i-- > 0;) track.step(path_[i].step, path_[i].taken);
  };
  run();
  if (const auto reg = track.missing()) {
    const auto address = address_in(*reg, path_.back().address);
    track = ValueTrack();
    if (address) track.assume_address(*reg, *address);
    run();
  }
  const auto table = track.table();
  if (table && (!best_ || table->entries != 0)) best_ = table;
  done_ = (table && table->entries != 0) || !track.may_be_table() || ++judged_ == kMostPaths;
  return done_;
}

// Code may take a table's address before a loop. Uses the nearest address taken before the path, otherwise any.
std::optional<uint64_t> JumpTables::address_in(uint8_t reg, uint64_t before) const {
  std::optional<uint64_t> result;
  for (const auto& [place, address] : function_->taken_addresses) {
    const auto step = value_step(place, image_.at(place));
    const bool into = step && step->to.kind == Place::kRegister && step->to.base == reg;
    if (into && (place < before || !result)) result = address;
  }
  return result;
}

}  // namespace snarl::scan
