#include "scan/memory_use.h"

#include <algorithm>
#include <span>

#include "scan/decoder.h"

namespace snarl::scan {
namespace {

using Operands = std::span<const ZydisDecodedOperand>;

// It calculates an address, or says something of one, or goes there.
bool only_names(const ZydisDecodedInstruction& raw) {
  switch (raw.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_RET: return true;
    default: return raw.mnemonic == ZYDIS_MNEMONIC_LEA;
  }
}

Where where_is(const ZydisDecodedOperandMem& memory) {
  if (memory.segment == ZYDIS_REGISTER_FS || memory.segment == ZYDIS_REGISTER_GS) return Where::kStack;
  if (memory.base == ZYDIS_REGISTER_RSP) return Where::kStack;
  if (memory.base == ZYDIS_REGISTER_RBP) return Where::kFrame;
  const bool is_fixed = memory.base == ZYDIS_REGISTER_RIP || memory.base == ZYDIS_REGISTER_NONE;
  return is_fixed && memory.index == ZYDIS_REGISTER_NONE ? Where::kFixed : Where::kAnywhere;
}

void note_memory(const ZydisDecodedInstruction& raw, const ZydisDecodedOperand& operand, uint64_t address,
                 MemoryUse& use) {
  if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type != ZYDIS_MEMOP_TYPE_MEM) return;
  const Where where = where_is(operand.mem);
  use.locked |= (raw.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 || raw.mnemonic == ZYDIS_MNEMONIC_XCHG;
  use.writes |= (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  if (where < use.where) return;
  use.where = where;
  use.address = static_cast<uint64_t>(operand.mem.disp.value);
  if (operand.mem.base == ZYDIS_REGISTER_RIP) use.address += address + raw.length;
}

bool is_register(const ZydisDecodedOperand& operand, ZydisRegister which) {
  return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.reg.value == which;
}

bool is_frame_setup(const ZydisDecodedInstruction& raw, Operands operands) {
  return raw.mnemonic == ZYDIS_MNEMONIC_MOV && operands.size() == 2 && is_register(operands[0], ZYDIS_REGISTER_RBP) &&
         is_register(operands[1], ZYDIS_REGISTER_RSP);
}

}  // namespace

std::optional<MemoryUse> memory_use(uint64_t address, std::string_view bytes) {
  ZydisDecodedInstruction raw;
  ZydisDecodedOperand decoded[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder(), bytes.data(), bytes.size(), &raw, decoded))) return std::nullopt;
  const Operands operands(decoded, raw.operand_count);
  MemoryUse use{.length = raw.length, .sets_frame = is_frame_setup(raw, operands)};
  if ((raw.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 && raw.raw.imm[0].is_relative)
    use.target = address + raw.length + static_cast<uint64_t>(raw.raw.imm[0].value.s);
  if (only_names(raw)) return use;
  for (const ZydisDecodedOperand& operand : operands) note_memory(raw, operand, address, use);
  return use;
}

}  // namespace snarl::scan
