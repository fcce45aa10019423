// What of a program can't be translated: collected, so that all of it is said at once.
#pragma once

#include <llvm/IR/Instruction.h>

#include <string>
#include <vector>

#include "coseq/front/places.h"

namespace snarl::coseq {

struct Refusal {
  std::string place;  // "file.c:12: function"
  std::string what;
  std::string advice;
  bool operator==(const Refusal&) const = default;
};

class Refusals {
 public:
  void add(const llvm::Instruction& where, const std::string& what, const std::string& advice);
  void add(const std::string& place, const std::string& what, const std::string& advice);
  const std::vector<Refusal>& all() const { return all_; }

 private:
  std::vector<Refusal> all_;
};

}  // namespace snarl::coseq
