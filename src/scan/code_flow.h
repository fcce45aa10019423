// Which bytes of a program file are instructions, and where control may arrive. The two err on opposite sides. An
// instruction is where both a linear decode of its function (sweep.h) and a walk along the code (walk.h) have one. A
// target is wherever one of them, a table read past its end, or any address in the file could lead. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "scan/code_image.h"
#include "scan/code_marks.h"
#include "scan/sweep.h"
#include "scan/walk.h"

namespace snarl::scan {

class CodeFlow {
 public:
  explicit CodeFlow(const CodeImage& image);
  CodeFlow(const CodeFlow&) = delete;

  // Atomic instructions that are certainly executed as such, ascending.
  const std::vector<uint64_t>& sites() const { return sites_; }
  // Others, which only one of the two ways shows or which something speaks against. They are left alone.
  uint32_t disputed_sites() const { return disputed_; }

  bool is_start(uint64_t address) const {
    return (marks_.at(address) & (kLinear | kWalked | kDoubt)) == (kLinear | kWalked);
  }
  bool is_linear(uint64_t address) const { return marks_.has(address, kLinear); }  // a start by one of the ways
  bool is_walked(uint64_t address) const { return marks_.has(address, kWalked); }  // by the other
  bool is_body(uint64_t address) const {
    return marks_.has(address, kLinearBody | kWalkedBody);
  }                                                                                // inside one, by a way
  bool is_target(uint64_t address) const { return marks_.has(address, kTarget); }  // control may arrive from elsewhere
  bool is_reached(uint64_t address) const { return marks_.has(address, kWalked | kWalkedBody); }
  bool ends_here(uint64_t address) const {
    return marks_.has(address, kEnds);
  }  // the instruction does not lead to the next
  // No unknown jump leads into the middle of the code around it.
  bool is_sure(uint64_t address) const;

 private:
  void add_targets();
  void read_table(uint64_t address, uint64_t end, size_t number);
  void add_landmarks();
  void collect();

  const CodeImage& image_;
  CodeMarks marks_;
  Swept swept_;
  Walk walk_;
  std::vector<uint8_t> tables_known_;  // of each function: a table of it was found
  std::vector<uint64_t> sites_;
  uint32_t disputed_ = 0;
};

}  // namespace snarl::scan
