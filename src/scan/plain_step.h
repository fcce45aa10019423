// One instruction as far as a proof needs it that a loop only waits (scan/spin_loop.h). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "wire/patch_table.h"

namespace snarl::scan {

// Changes general registers, flags and memory, and depends on nothing else: no vector registers, no clocks, no system.
struct PlainStep {
  uint8_t length = 0;
  bool reads = false;              // the memory that `operand` names
  bool writes = false;             // likewise
  bool pushes = false;             // writes below the stack pointer: registers, constants and return addresses
  bool copies = false;             // writes memory with what it reads from memory elsewhere
  bool jumps = false;              // control may go elsewhere
  uint8_t size = 0;                // of the operand, in bytes
  uint8_t to = wire::kNoRegister;  // the register that a load fills whole
  wire::Operand operand;

  bool loads() const { return reads && !writes && !copies && !jumps; }
};

// Nothing: it is another kind of instruction, or none.
std::optional<PlainStep> plain_step(std::string_view bytes);

}  // namespace snarl::scan
