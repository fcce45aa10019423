// One x86-64 instruction, as far as following and patching code needs it. Only this, value_step.h and memory_use.h use
// Zydis.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "wire/patch_table.h"

namespace snarl::scan {

enum class Flow : uint8_t {
  kNext,      // to the next instruction
  kCall,      // to the next one when the call returns
  kBranch,    // to `target` or to the next one
  kJump,      // to `target`
  kIndirect,  // to an unknown address
  kStop,      // ret, ud2, hlt, ...
};

struct Instruction {
  uint64_t address = 0;
  uint64_t target = 0;     // of a direct branch, jump or call; otherwise 0
  uint64_t refers_to = 0;  // the address that a RIP-relative operand means; otherwise 0
  uint64_t immediate = 0;  // a constant that may be an address; otherwise 0
  uint8_t length = 0;
  Flow flow = Flow::kNext;
  bool by_table = false;  // kIndirect: through a register or an indexed table
  bool padding = false;   // nop of any length, int3
  bool is_return = false;
  bool takes_address = false;                  // lea of `refers_to`
  bool movable = true;                         // it may be executed elsewhere, with its fixup
  uint32_t flags_read = 0, flags_written = 0;  // of the six arithmetic ones
  wire::PatchedInstruction patched;            // point, operand, fixup

  uint64_t end() const { return address + length; }
  bool is_site() const { return patched.point != wire::PatchPoint::kNone; }
};

// Whether it may lead to the next instruction.
inline bool leads_on(const Instruction& instruction) {
  return instruction.flow == Flow::kNext || instruction.flow == Flow::kCall || instruction.flow == Flow::kBranch;
}

constexpr uint32_t kArithmeticFlags = 0x8d5;  // CF PF AF ZF SF OF, where EFLAGS has them

// The instruction at the start of `bytes`; nothing if they are not one.
std::optional<Instruction> decode(uint64_t address, std::string_view bytes);
// Finds out only where control goes and whether it is a site, which is quicker: the fields from `movable` on are not
// set, except patched.point. False if the bytes are not an instruction.
bool decode_flow(uint64_t address, std::string_view bytes, Instruction& result);

}  // namespace snarl::scan
