// Changes of the program before it meets the models.
#pragma once

#include <llvm/IR/Module.h>

#include "base/error.h"

namespace snarl::coseq {

// The function that the main thread runs: calls main and then exit.
constexpr const char* kBegin = "snarl_lane_begin";
void add_begin(llvm::Module& module);

// Arrays of variable length come from the models, which check their bounds.
void give_variable_arrays_blocks(llvm::Module& module);

// printf("%d", x) becomes snarl_printf("%d", words), with x in an array of eight-byte words.
Status pass_variable_arguments_as_array(llvm::Module& module);

}  // namespace snarl::coseq
