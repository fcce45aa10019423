// Which bytes of a program file are instructions, and where control may arrive: found by following the code from
// every known start (functions, landing pads, branch targets, jump tables), never by sweeping
// over bytes, so that data between functions is not taken for code. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "scan/code_image.h"
#include "scan/instruction.h"

namespace snarl {

class CodeFlow {
 public:
  explicit CodeFlow(const CodeImage& image);

  // Atomic instructions that are surely executed as such, ascending.
  const std::vector<uint64_t>& sites() const { return sites_; }
  // Others that a sweep over the rest of the functions shows: code that nothing leads to, or data.
  uint32_t doubtful_sites() const { return doubtful_; }

  bool is_start(uint64_t address) const { return has(address, kStart); }   // of an instruction
  bool is_target(uint64_t address) const { return has(address, kTarget); } // control may arrive from elsewhere
  bool is_reached(uint64_t address) const { return has(address, kStart | kInside); }
  bool is_doubtful(uint64_t address) const { return has(address, kDoubt); }
  bool ends_here(uint64_t address) const { return has(address, kEnds); }   // the instruction does not lead to the next
  // No unknown way leads into the middle of the code around it.
  bool is_sure(uint64_t address) const;

 private:
  enum Mark : uint8_t { kStart = 1, kInside = 2, kTarget = 4, kDoubt = 8, kEnds = 16 };
  struct Marks {
    uint64_t begin;
    std::vector<uint8_t> of;
  };
  struct Switches {  // of one function
    bool jumps = false;  // by a register or a table
    bool known = false;  // a table was found
  };

  bool has(uint64_t address, int marks) const;
  void mark(uint64_t address, Mark mark);
  uint8_t* marks_at(uint64_t address);
  const uint8_t* marks_at(uint64_t address) const { return const_cast<CodeFlow*>(this)->marks_at(address); }

  void start_everywhere();
  void lead_to(uint64_t address);
  void follow_all();
  void follow(uint64_t from);
  bool take(const Instruction& instruction);
  void note(const Instruction& instruction);
  void doubt(uint64_t overlapped);
  void read_tables();
  void read_table(uint64_t table, uint64_t end, Switches& switches);
  void read_pointers();
  Switches* switches_of(uint64_t address);
  void collect();
  void sweep_rest();

  const CodeImage& image_;
  std::vector<Marks> marks_;        // of each executable segment
  std::vector<Switches> switches_;  // of each function
  std::vector<uint64_t> to_follow_;
  std::vector<uint64_t> block_;     // instructions since the last start or call
  std::vector<std::pair<uint64_t, uint64_t>> tables_;  // address, and the place that takes it
  std::vector<uint64_t> sites_;
  uint32_t doubtful_ = 0;
};

}  // namespace snarl
