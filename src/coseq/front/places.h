// Where an instruction stands in the sources.
#pragma once

#include <llvm/IR/Instruction.h>

#include <string>

namespace snarl::coseq {

// Line 0: nobody knows. Of what was inlined from a system's header, the line of the program that asked for it.
struct SourcePlace {
  std::string file;
  std::string function;
  unsigned line = 0;
};
SourcePlace place_of(const llvm::Instruction& instruction);

}  // namespace snarl::coseq
