// The other way: follows the code from every known start (functions, landing pads, branch targets, and jump tables as
// far as the comparison before the jump allows), and never into bytes that nothing leads to. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scan/code_image.h"
#include "scan/code_marks.h"
#include "scan/instruction.h"
#include "scan/jump_tables.h"

namespace snarl::scan {

// Runs after sweep_functions. If it arrives inside an instruction of the sweep, one of the two is wrong, and the rest
// of that function is doubtful.
class Walk {
 public:
  // `taken`: addresses that code takes, sorted. A table ends at the latest where the next one may begin.
  Walk(const CodeImage& image, CodeMarks& marks, std::span<const uint64_t> taken);

  const std::vector<uint64_t>& sites() const { return sites_; }  // outside of what was swept
  const std::vector<JumpTable>& tables() const { return tables_; }
  bool jumps(size_t function) const { return jumps_[function] != 0; }  // anywhere in it, through a register or a table

 private:
  void start_everywhere();
  void lead_to(uint64_t address);
  void follow_all();
  void follow(uint64_t from);
  bool follow_one(uint64_t& at);
  void note(const Instruction& instruction);
  void jump_by_table(uint64_t jump);
  void read_table(const JumpTable& table);
  void read_pointers(const Function& function);
  void dispute(uint64_t address);

  const CodeImage& image_;
  CodeMarks& marks_;
  JumpTables jump_tables_;
  std::span<const uint64_t> taken_;
  std::vector<uint64_t> pointers_;  // of the image, sorted
  std::vector<uint8_t> jumps_;      // of each function
  std::vector<uint64_t> to_follow_;
  std::vector<uint64_t> block_;  // instructions since the last start or call
  std::vector<uint64_t> sites_;
  std::vector<JumpTable> tables_;
};

}  // namespace snarl::scan
