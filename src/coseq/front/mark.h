// Which accesses may be to memory that several threads use: these become volatile, and so stay what they are.
#pragma once

#include <llvm/IR/Module.h>

namespace snarl::coseq {

void mark_shared(llvm::Module& module);
void mark_none(llvm::Module& model);

// Is the instruction a schedule point: a marked or atomic access, or an arrival of a model?
bool is_point(const llvm::Instruction& instruction);

}  // namespace snarl::coseq
