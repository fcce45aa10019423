// From source files to one optimised LLVM module whose schedule points are calls, volatile and atomic accesses.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "coseq/front/command.h"

namespace snarl::coseq {

struct Sources {
  std::vector<std::string> files;                               // .c, .cc, .bc, .ll
  std::vector<std::string> options;                             // of the compiler, for all files
  std::map<std::string, std::vector<std::string>> own_options;  // likewise, for one file
  std::string models;                                           // folder of the models' sources
  std::string scratch;                                          // folder for what is made on the way
  bool counts_cost = false;                                     // the code counts instructions
  bool tells = false;                                           // the program tells of its steps (LANE_TELLS)
  std::string twin;                                             // the native twin is written to; empty: it is not made
};

// The compiler's own messages have gone to stderr where it failed (exit code 2).
Expected<std::unique_ptr<llvm::Module>> read_program(const Sources& sources, llvm::LLVMContext& context);

}  // namespace snarl::coseq
