// LLVM's types as those of the emitted C: an aggregate is the list of its leaves, each in a variable of its own.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

#include <string>
#include <vector>

namespace snarl::coseq {

struct Leaf {
  llvm::Type* type;
  uint64_t offset;  // in memory
};
// Empty for void. A scalar has one leaf.
std::vector<Leaf> leaves_of(llvm::Type* type, const llvm::DataLayout& layout);
// The index of the first leaf of a member, as extractvalue names it.
size_t leaf_at(llvm::Type* type, llvm::ArrayRef<unsigned> path, const llvm::DataLayout& layout);

// "u32" for i17, "f64" for double, "u32" for pointers; empty: there is none.
std::string c_type(llvm::Type* type);
// How it lies in memory: pointers are eight bytes there.
std::string memory_type(llvm::Type* type);
unsigned bits_of(llvm::Type* type);

}  // namespace snarl::coseq
