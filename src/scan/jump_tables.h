// Finds the table of an indirect jump. It looks back from the jump over the instructions that lead to it, as the linear
// decode has them, until one path shows the table and the comparison that bounds it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scan/code_image.h"
#include "scan/code_marks.h"
#include "scan/value_track.h"

namespace snarl::scan {

class JumpTables {
 public:
  JumpTables(const CodeImage& image, const CodeMarks& marks) : image_(image), marks_(marks) {}

  // None if nothing is known. Has no `entries` if no comparison was found.
  std::optional<JumpTable> find(uint64_t jump);

 private:
  struct Hop {
    ValueStep step;
    uint64_t address;
    bool taken;  // on to its target
  };
  struct Function {                                              // what is kept of a function that has such jumps
    std::vector<std::pair<uint64_t, uint64_t>> branches;         // target and place, by target
    std::vector<std::pair<uint64_t, uint64_t>> taken_addresses;  // place and address, by place
  };

  const Function& function_at(uint64_t address);
  void search(uint64_t from, size_t joins);
  void enter(uint64_t address, bool taken, size_t joins);
  std::optional<uint64_t> before(uint64_t address) const;
  bool judge();
  std::optional<uint64_t> address_in(uint8_t reg, uint64_t before) const;

  const CodeImage& image_;
  const CodeMarks& marks_;
  std::unordered_map<uint64_t, Function> functions_;  // by begin
  // State of the current search:
  uint64_t begin_ = 0;  // of the function
  const Function* function_ = nullptr;
  std::vector<Hop> path_;  // from the jump backwards
  std::optional<JumpTable> best_;
  int judged_ = 0;
  bool done_ = false;
};

}  // namespace snarl::scan
