// What lies in a frame of a function on the stack of a lane's thread.
//
//   +0 where it returns to   +4 its caller's frame   +8 arguments, results that live across points, then variables
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

namespace snarl::coseq {

using Values = std::vector<const llvm::Value*>;

struct Frame {
  uint32_t size = 0;
  std::map<const llvm::Value*, uint32_t> slots;  // of the first leaf; the others follow, eight bytes each
  std::map<const llvm::AllocaInst*, uint32_t> variables;
  std::map<const llvm::CallBase*, std::map<unsigned, uint32_t>> copies;  // of arguments that are passed by value
  std::map<const llvm::Instruction*, Values> before, after;              // what is needed then: at points and calls
};

// `stops(i)`: the thread may stop at the instruction, so that what lives across it has a slot.
Frame make_frame(const llvm::Function& function, const llvm::DataLayout& layout, bool flat,
                 const std::map<const llvm::Instruction*, bool>& stops);

}  // namespace snarl::coseq
