// A byte of marks for each byte of code. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "scan/code_image.h"

namespace snarl::scan {

enum Mark : uint8_t {
  kLinear = 1,      // an instruction begins here, decoded one after the other from its function's begin without a break
  kLinearBody = 2,  // a further byte of one
  kPlain = 4,       // with kLinear: it only leads to the next instruction
  kWalked = 8,      // an instruction begins here, reached by following the code
  kWalkedBody = 16,  // a further byte of one
  kTarget = 32,      // control may arrive here from elsewhere
  kDoubt = 64,       // something speaks against this being code
  kEnds = 128,       // with kWalked: it does not lead to the next instruction
};

class CodeMarks {
 public:
  explicit CodeMarks(const CodeImage& image) {
    for (const Segment& segment : image.segments)
      if (segment.executable) areas_.push_back({segment.begin, std::vector<uint8_t>(segment.bytes.size())});
  }

  // No marks for an address that is not code.
  uint8_t at(uint64_t address) const {
    for (const Area& area : areas_)
      if (address - area.begin < area.marks.size()) return area.marks[address - area.begin];
    return 0;
  }
  bool has(uint64_t address, int marks) const { return (at(address) & marks) != 0; }

  void add(uint64_t address, int marks) {
    for (Area& area : areas_)
      if (address - area.begin < area.marks.size()) {
        area.marks[address - area.begin] = static_cast<uint8_t>(area.marks[address - area.begin] | marks);
        return;
      }
  }
  void add_body(uint64_t address, uint64_t length, int marks) {
    for (uint64_t byte = address + 1; byte < address + length; ++byte) add(byte, marks);
  }

 private:
  struct Area {
    uint64_t begin;
    std::vector<uint8_t> marks;
  };
  std::vector<Area> areas_;  // of each executable segment
};

}  // namespace snarl::scan
