#include "scan/walk.h"

#include <algorithm>

namespace snarl::scan {
namespace {

constexpr char kLock = '\xf0';

}  // namespace

Walk::Walk(const CodeImage& image, CodeMarks& marks, std::span<const uint64_t> taken)
    : image_(image),
      marks_(marks),
      jump_tables_(image, marks),
      taken_(taken),
      pointers_(image.pointers),
      jumps_(image.functions.size()) {
  std::ranges::sort(pointers_);
  start_everywhere();
  follow_all();
}

void Walk::start_everywhere() {
  for (const Function& function : image_.functions) lead_to(function.begin);
  for (uint64_t landing : image_.landings) lead_to(landing);
  lead_to(image_.entry);
  for (uint64_t pointer : pointers_) {
    marks_.add(pointer, kTarget);
    if (image_.functions.empty()) lead_to(pointer);  // stripped of all symbols: nothing else is known
  }
}

void Walk::lead_to(uint64_t address) {
  if (!image_.is_code(address)) return;
  marks_.add(address, kTarget);
  const uint8_t marks = marks_.at(address);
  if ((marks & kWalked) != 0) return;
  if ((marks & kLinearBody) != 0) {
    // A single CPU needs no lock prefix: a jump past the prefix is common.
    const bool behind_lock = marks_.has(address - 1, kLinear) && image_.at(address - 1).front() == kLock;
    if (behind_lock) return;
    dispute(address);
  }
  to_follow_.push_back(address);
}

void Walk::dispute(uint64_t address) {
  const Function* function = image_.function_of(address);
  while (marks_.has(address, kLinearBody)) --address;
  for (; function != nullptr && address < function->end; ++address) marks_.add(address, kDoubt);
}

void Walk::follow_all() {
  while (!to_follow_.empty()) {
    const uint64_t from = to_follow_.back();
    to_follow_.pop_back();
    follow(from);
  }
}

void Walk::follow(uint64_t from) {
  block_.clear();
  for (uint64_t at = from; !marks_.has(at, kWalked);)
    if (!follow_one(at)) return;
}

// False if nothing follows. Code that runs into bytes that are not an instruction was not code itself, back to the last
// certain place.
bool Walk::follow_one(uint64_t& at) {
  const uint8_t marks = marks_.at(at);
  if ((marks & (kLinear | kPlain)) == (kLinear | kPlain)) {
    marks_.add(at, kWalked);
    block_.push_back(at);
    for (++at; marks_.has(at, kLinearBody); ++at) marks_.add(at, kWalkedBody);
    return true;
  }
  Instruction one;
  if (!decode_flow(at, image_.code_at(at), one)) {
    for (uint64_t address : block_) marks_.add(address, kDoubt);
    return false;
  }
  marks_.add(at, kWalked);
  marks_.add_body(at, one.length, kWalkedBody);
  block_.push_back(at);
  note(one);
  if (one.flow == Flow::kCall) block_.clear();  // it may never return: what follows is less sure
  if (!leads_on(one)) marks_.add(at, kEnds);
  at = one.end();
  return leads_on(one);
}

void Walk::note(const Instruction& instruction) {
  if (instruction.target != 0) lead_to(instruction.target);
  if (instruction.refers_to != 0) marks_.add(instruction.refers_to, kTarget);
  if (instruction.is_site()) sites_.push_back(instruction.address);
  if (instruction.by_table) jump_by_table(instruction.address);
}

void Walk::jump_by_table(uint64_t jump) {
  const Function* function = image_.function_of(jump);
  if (function == nullptr) return;
  uint8_t& jumps = jumps_[static_cast<size_t>(function - image_.functions.data())];
  if (jumps == 0) read_pointers(*function);
  jumps = 1;
  if (const auto table = jump_tables_.find(jump)) read_table(*table);
}

// As many entries as the comparison before the jump lets through. Without a comparison (the program knows that the
// value is one of a few): the entries that lead to a start of the sweep.
void Walk::read_table(const JumpTable& table) {
  tables_.push_back(table);
  const auto next = std::ranges::upper_bound(taken_, table.address);
  const uint64_t room = next == taken_.end() ? JumpTable::kMostEntries : (*next - table.address) / 4;
  const uint64_t said = table.entries == 0 ? JumpTable::kMostEntries : table.entries;
  for (uint64_t i = 0; i < std::min({room, said, JumpTable::kMostEntries}); ++i) {
    const auto target = table.target(image_, i);
    if (!target || (table.entries == 0 && !marks_.has(*target, kLinear))) return;
    lead_to(*target);
  }
}

// Labels whose addresses stand in data: computed goto, and switches of code at fixed addresses. A word that only looks
// like an address is not followed into the middle of an instruction.
void Walk::read_pointers(const Function& function) {
  const auto first = std::ranges::upper_bound(pointers_, function.begin);
  for (auto pointer = first; pointer != pointers_.end() && *pointer < function.end; ++pointer)
    if (marks_.has(*pointer, kLinear)) lead_to(*pointer);
}

}  // namespace snarl::scan
