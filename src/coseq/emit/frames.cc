#include "coseq/emit/frames.h"

#include <llvm/IR/CFG.h>

#include <algorithm>

#include "coseq/emit/types.h"

namespace snarl::coseq {
namespace {

// Backward data flow over the values of one function.
class Liveness {
 public:
  explicit Liveness(const llvm::Function& function) : function_(function) {
    for (const llvm::Argument& argument : function.args()) number(argument);
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (!instruction.getType()->isVoidTy()) number(instruction);
    solve();
  }

  // Calls visit(instruction, what lives before it, what lives after it), from the end of each block.
  template <typename Visit>
  void each(Visit visit) const {
    for (const llvm::BasicBlock& block : function_) {
      llvm::BitVector live = out_of(block);
      for (auto at = block.rbegin(); at != block.rend(); ++at) {
        const llvm::BitVector after = live;
        step(*at, live);
        visit(*at, live, after);
      }
    }
  }

  Values values(const llvm::BitVector& set) const {
    Values result;
    for (const unsigned i : set.set_bits()) result.push_back(values_[i]);
    return result;
  }
  void leave_out(llvm::BitVector& set, const llvm::Value& value) const {
    if (const auto found = numbers_.find(&value); found != numbers_.end()) set.reset(found->second);
  }

 private:
  void number(const llvm::Value& value) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&value);
    if (variable != nullptr && variable->isStaticAlloca()) return;  // frame pointer + constant: never spilt
    numbers_[&value] = static_cast<unsigned>(values_.size());
    values_.push_back(&value);
  }
  void use(const llvm::Value* value, llvm::BitVector& live) const {
    if (const auto found = numbers_.find(value); found != numbers_.end()) live.set(found->second);
  }
  void step(const llvm::Instruction& instruction, llvm::BitVector& live) const {
    leave_out(live, instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) return;  // its values are used at the ends of other blocks
    for (const llvm::Use& operand : instruction.operands()) use(operand.get(), live);
  }
  llvm::BitVector out_of(const llvm::BasicBlock& block) const {
    llvm::BitVector live(static_cast<unsigned>(values_.size()));
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      if (const auto found = in_.find(next); found != in_.end()) live |= found->second;
    }
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      for (const llvm::PHINode& phi : next->phis()) use(phi.getIncomingValueForBlock(&block), live);
    return live;
  }
  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = function_.getBasicBlockList().rbegin(); block != function_.getBasicBlockList().rend();
           ++block) {
        llvm::BitVector live = out_of(*block);
        for (auto at = block->rbegin(); at != block->rend(); ++at) step(*at, live);
        llvm::BitVector& in = in_[&*block];
        if (in == live) continue;
        in = live;
        changed = true;
      }
    }
  }

  const llvm::Function& function_;
  std::map<const llvm::Value*, unsigned> numbers_;
  Values values_;
  std::map<const llvm::BasicBlock*, llvm::BitVector> in_;
};

uint32_t aligned(uint32_t at, uint64_t to) {
  const uint32_t align = static_cast<uint32_t>(std::max<uint64_t>(to, 8));
  return (at + align - 1) / align * align;
}

void place_spilt(Frame& frame, const Values& values, const llvm::DataLayout& layout) {
  for (const llvm::Value* value : values)
    if (frame.slots.try_emplace(value, frame.size).second)
      frame.size += 8 * static_cast<uint32_t>(leaves_of(value->getType(), layout).size());
}

}  // namespace

Frame make_frame(const llvm::Function& function, const llvm::DataLayout& layout, bool flat,
                 const std::map<const llvm::Instruction*, bool>& stops) {
  Frame frame;
  frame.size = 8;
  for (const llvm::Argument& argument : function.args()) place_spilt(frame, {&argument}, layout);
  if (flat) {
    const Liveness liveness(function);
    liveness.each([&](const llvm::Instruction& at, const llvm::BitVector& before, const llvm::BitVector& after) {
      if (stops.find(&at) == stops.end()) return;
      llvm::BitVector across = after;
      if (llvm::isa<llvm::CallBase>(at)) liveness.leave_out(across, at);
      place_spilt(frame, frame.before[&at] = liveness.values(before), layout);
      place_spilt(frame, frame.after[&at] = liveness.values(across), layout);
    });
  }
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable != nullptr && variable->isStaticAlloca()) {
        frame.variables[variable] = frame.size = aligned(frame.size, variable->getAlign().value());
        const uint64_t count = llvm::cast<llvm::ConstantInt>(variable->getArraySize())->getZExtValue();
        frame.size += static_cast<uint32_t>(layout.getTypeAllocSize(variable->getAllocatedType()) * count);
      }
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      for (unsigned i = 0; call != nullptr && i < call->arg_size(); ++i)
        if (llvm::Type* type = call->getParamByValType(i)) {
          frame.copies[call][i] = frame.size = aligned(frame.size, 16);
          frame.size += static_cast<uint32_t>(layout.getTypeAllocSize(type));
        }
    }
  frame.size = aligned(frame.size, 16);
  return frame;
}

}  // namespace snarl::coseq
