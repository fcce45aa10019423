// From source files to one optimised LLVM module whose schedule points are calls, volatile and atomic accesses.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>

#include "base/error.h"
#include "coseq/front/command.h"
#include "coseq/front/sources.h"

namespace snarl::coseq {

// The compiler's own messages have gone to stderr where it failed (exit code 2).
Expected<std::unique_ptr<llvm::Module>> read_program(const Sources& sources, llvm::LLVMContext& context);

}  // namespace snarl::coseq
