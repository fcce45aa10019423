#include "scan/plan.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "scan/code_flow.h"
#include "scan/instruction.h"
#include "scan/named_sites.h"
#include "scan/plain_step.h"

namespace snarl::scan {
namespace {

using wire::Patch;
using wire::PatchWay;

constexpr int64_t kShortReach = 120;  // a short jump reaches 127 bytes; the rest is for the bytes of the jump itself
constexpr int kFlagsHorizon = 12;     // instructions to look at for whether the flags are still needed
constexpr uint64_t kLongest = 15;     // an instruction

class Planner {
 public:
  Planner(const CodeImage& image, const CodeFlow& flow, const NamedSites& named, std::span<const uint64_t> loads)
      : image_(image), flow_(flow), named_(named) {
    for (const uint64_t end : loads)
      if (const auto load = load_ending_at(end)) loads_.insert(*load);
  }

  const std::set<uint64_t>& loads() const { return loads_; }

  void plan(uint64_t site) {
    if (site < planned_to_) return;  // inside the patch before it
    const auto instruction = at(site);
    if (!instruction || !instruction->movable) return;
    if (alone(*instruction) || hole(*instruction) || following(*instruction) || preceding(*instruction)) return;
    finish({*instruction}, PatchWay::kTrap);
  }

  // Of those sites, how many are atomic instructions.
  uint32_t atomics(const std::vector<uint64_t>& sites) const {
    return static_cast<uint32_t>(std::ranges::count_if(sites, [this](uint64_t site) {
      const auto instruction = at(site);
      return instruction && !wire::is_emulated(instruction->patched.point);
    }));
  }

  std::vector<Patch> take() {
    std::ranges::sort(patches_, {}, &Patch::address);
    return std::move(patches_);
  }

 private:
  using Instructions = std::vector<Instruction>;

  std::optional<Instruction> at(uint64_t address) const {
    auto instruction = flow_.is_start(address) ? decode(address, image_.at(address)) : std::nullopt;
    if (instruction && loads_.contains(address)) become_load(*instruction);
    return instruction;
  }

  // What an instruction reads may be less than what it computes with.
  void become_load(Instruction& instruction) const {
    instruction.patched.point = wire::PatchPoint::kLoad;
    instruction.patched.size = plain_step(image_.at(instruction.address))->size;
  }

  std::optional<uint64_t> load_ending_at(uint64_t end) const {
    const auto instruction = ending_at(end);
    if (!instruction || instruction->is_site()) return std::nullopt;
    const auto step = plain_step(image_.at(instruction->address));
    return step && step->loads() ? std::optional(instruction->address) : std::nullopt;
  }

  bool alone(const Instruction& site) { return site.length >= wire::kJumpBytes && finish({site}, PatchWay::kAlone); }

  // Five bytes of padding that nothing leads to, near enough for a short jump.
  bool hole(const Instruction& site) {
    if (site.length < wire::kShortJumpBytes) return false;
    for (int64_t distance = wire::kShortJumpBytes; distance < kShortReach; ++distance)
      for (int64_t offset : {distance, -distance}) {
        const uint64_t address = site.address + static_cast<uint64_t>(offset);
        if (is_hole(address)) return finish({site}, PatchWay::kHole, address);
      }
    return false;
  }

  bool is_hole(uint64_t address) const {
    for (uint64_t byte = address; byte < address + wire::kJumpBytes; ++byte)
      if (!image_.is_code(byte) || flow_.is_reached(byte) || flow_.is_target(byte) || used_.contains(byte))
        return false;
    const bool inside = image_.function_of(address) != nullptr;
    return (!inside || flow_.is_sure(address)) && is_padding(address);
  }

  // From the instruction before the gap, which does not lead into it, to the end of the five bytes: nops.
  bool is_padding(uint64_t address) const {
    uint64_t begin = address;
    while (begin > 0 && image_.is_code(begin - 1) && !flow_.is_reached(begin - 1) && address - begin < kShortReach)
      --begin;
    if (!flow_.is_reached(begin - 1)) return false;
    uint64_t before = begin - 1;
    while (begin - before < kLongest && !flow_.is_start(before)) --before;
    if (!flow_.is_start(before) || !flow_.ends_here(before)) return false;
    for (uint64_t byte = begin; byte < address + wire::kJumpBytes;) {
      const auto instruction = decode(byte, image_.at(byte));
      if (!instruction || !instruction->padding) return false;
      byte = instruction->end();
    }
    return true;
  }

  // Takes instructions from `first` on until they make room for a jump.
  bool following(const Instruction& site) {
    if (!flow_.is_sure(site.address)) return false;
    Instructions all{site};
    return extend(all) && finish(all, PatchWay::kFollowing);
  }

  bool extend(Instructions& all) const {
    while (length_of(all) < wire::kJumpBytes) {
      const Instruction& last = all.back();
      const auto next = at(last.end());
      const bool leads_on = last.flow == Flow::kNext;
      if (!leads_on || !next || !next->movable || flow_.is_target(next->address)) return false;
      all.push_back(*next);
    }
    return true;
  }

  bool preceding(const Instruction& site) {
    if (!flow_.is_sure(site.address)) return false;
    Instructions all{site};
    while (length_of(all) < wire::kJumpBytes) {
      if (flow_.is_target(all.front().address)) return false;
      const auto before = ending_at(all.front().address);
      if (!before || before->flow != Flow::kNext || !before->movable || before->address < planned_to_) return false;
      all.insert(all.begin(), *before);
    }
    return finish(all, PatchWay::kPreceding);
  }

  std::optional<Instruction> ending_at(uint64_t address) const {
    for (uint64_t length = 1; length <= kLongest; ++length) {
      const auto before = at(address - length);
      if (before) return before->end() == address ? before : std::nullopt;
    }
    return std::nullopt;
  }

  static uint64_t length_of(const Instructions& all) { return all.back().end() - all.front().address; }

  // Control may arrive at the first byte, and at the other bytes only if they stay as they are.
  bool may_overwrite(const Instructions& all, PatchWay way) const {
    const uint64_t end = way == PatchWay::kTrap ? all.front().address : all.back().end();
    for (uint64_t byte = all.front().address + 1; byte < end; ++byte)
      if (flow_.is_target(byte)) return false;
    return true;
  }

  bool finish(const Instructions& all, PatchWay way, uint64_t hole = 0) {
    if (all.size() > wire::kMaxPatchInstructions || length_of(all) > wire::kMaxPatchBytes) return false;
    if (!may_overwrite(all, way)) return false;
    Patch patch;
    patch.address = all.front().address;
    patch.hole = hole;
    patch.way = way;
    patch.length = static_cast<uint8_t>(length_of(all));
    patch.count = static_cast<uint8_t>(all.size());
    std::memcpy(patch.bytes, image_.at(patch.address).data(), patch.length);
    for (size_t i = 0; i < all.size(); ++i) patch.instructions[i] = described(all[i]);
    patches_.push_back(patch);
    planned_to_ = all.back().end();
    for (uint64_t byte = hole; hole != 0 && byte < hole + wire::kJumpBytes; ++byte) used_.insert(byte);
    return true;
  }

  wire::PatchedInstruction described(const Instruction& instruction) const {
    wire::PatchedInstruction result = instruction.patched;
    result.flags_before = instruction.is_site() && flags_needed_at(instruction.address);
    result.flags_after = result.after && flags_needed_at(instruction.end());
    if (const auto named = named_.find(instruction.address); named != named_.end()) result.named = named->second;
    return result;
  }

  // Unless they are certainly overwritten first.
  bool flags_needed_at(uint64_t address) const {
    uint32_t open = kArithmeticFlags;
    for (int i = 0; i < kFlagsHorizon; ++i) {
      const auto instruction = at(address);
      if (!instruction || (instruction->flags_read & open) != 0) return true;
      open &= ~instruction->flags_written;
      if (open == 0) return false;
      if (instruction->flow != Flow::kNext) return true;
      address = instruction->end();
    }
    return true;
  }

  const CodeImage& image_;
  const CodeFlow& flow_;
  const NamedSites& named_;
  std::set<uint64_t> loads_;  // that are to be points
  std::vector<Patch> patches_;
  std::set<uint64_t> used_;  // bytes of holes
  uint64_t planned_to_ = 0;  // end of the last patch
};

}  // namespace

PatchPlan plan_patches(const CodeImage& image, std::span<const NamedFunction> functions,
                       std::span<const uint64_t> loads) {
  const CodeFlow flow(image);
  const NamedSites named = named_sites(image, flow, functions);
  std::set<uint64_t> sites(flow.sites().begin(), flow.sites().end());
  for (const auto& [site, what] : named) sites.insert(site);
  Planner planner(image, flow, named, loads);
  sites.insert(planner.loads().begin(), planner.loads().end());
  for (uint64_t site : sites) planner.plan(site);
  PatchPlan plan;
  plan.sites = planner.atomics(flow.sites()) + flow.disputed_sites();
  plan.disputed = flow.disputed_sites();
  plan.functions = static_cast<uint32_t>(functions.size());
  plan.patches = planner.take();
  return plan;
}

}  // namespace snarl::scan
