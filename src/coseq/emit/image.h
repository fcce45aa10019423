// Where globals lie in the arena, and what they are at the start.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "coseq/emit/refusals.h"

namespace snarl::coseq {

class Image {
 public:
  Image(const llvm::Module& module, const std::map<const llvm::Function*, uint32_t>& functions, Refusals& refusals);

  bool is_thread_local(const llvm::GlobalVariable& variable) const { return variable.isThreadLocal(); }
  // In the arena; of a thread-local one: in its thread's block.
  uint32_t address(const llvm::GlobalVariable& variable) const;

  const std::vector<uint8_t>& globals() const { return globals_; }
  const std::vector<uint8_t>& constants() const { return constants_; }
  const std::vector<uint8_t>& thread_locals() const { return thread_locals_; }

  struct Name {
    std::string name;
    uint32_t address, size;
  };
  const std::vector<Name>& names() const { return names_; }

 private:
  void place(const llvm::GlobalVariable& variable);
  void write(std::vector<uint8_t>& bytes, uint64_t at, const llvm::Constant& value, const llvm::GlobalVariable& of);

  const llvm::DataLayout& layout_;
  const std::map<const llvm::Function*, uint32_t>& functions_;
  Refusals& refusals_;
  std::map<const llvm::GlobalVariable*, uint32_t> addresses_;
  std::vector<uint8_t> globals_, constants_, thread_locals_;
  std::vector<Name> names_;
};

}  // namespace snarl::coseq
