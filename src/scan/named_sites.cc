#include "scan/named_sites.h"

#include <algorithm>
#include <vector>

#include "scan/end_branch.h"

namespace snarl::scan {
namespace {

// The instruction that indirect calls must land on stays where it is.
uint64_t first_instruction(const CodeImage& image, uint64_t address) {
  return image.at(address).starts_with(kEndBranch) ? address + kEndBranch.size() : address;
}

bool leaves(const Instruction& instruction, const Function& function) {
  if (instruction.is_return) return true;
  if (instruction.flow == Flow::kIndirect) return !instruction.by_table;
  const bool inside = instruction.target >= function.begin && instruction.target < function.end;
  return instruction.flow == Flow::kJump && !inside;
}

// Every exit that the linear decode shows.
std::vector<Instruction> exits_of(const CodeImage& image, const CodeFlow& flow, uint64_t address) {
  std::vector<Instruction> exits;
  const Function* function = image.function_of(address);
  for (uint64_t at = address; function != nullptr && at < function->end; ++at) {
    if (!flow.is_linear(at)) continue;
    const auto instruction = decode(at, image.at(at));
    if (instruction && leaves(*instruction, *function)) exits.push_back(*instruction);
  }
  return exits;
}

void add(const CodeImage& image, const CodeFlow& flow, const NamedFunction& function, NamedSites& sites) {
  const uint64_t first = first_instruction(image, function.address);
  if (!flow.is_start(first)) return;
  std::vector<Instruction> exits;
  if (is_lock(function.what.use)) exits = exits_of(image, flow, first);
  const auto is_left_alone = [&flow](const Instruction& i) { return !flow.is_start(i.address); };
  if (std::ranges::any_of(exits, is_left_alone)) return;  // a thread that returns there would count as inside for good
  const auto is_jump = [](const Instruction& i) { return !i.is_return; };
  if (is_try(function.what.use) && std::ranges::any_of(exits, is_jump)) return;  // the result is another function's
  wire::Named what = function.what;
  what.begins = true;
  sites.insert_or_assign(first, what);
  for (const Instruction& exit : exits) {
    wire::Named& site = sites.try_emplace(exit.address, function.what).first->second;
    site.returns = true;
  }
}

}  // namespace

NamedSites named_sites(const CodeImage& image, const CodeFlow& flow, std::span<const NamedFunction> functions) {
  NamedSites sites;
  for (const NamedFunction& function : functions) add(image, flow, function, sites);
  return sites;
}

}  // namespace snarl::scan
