#include "scan/plain_step.h"

#include "scan/decoder.h"
#include "scan/instruction.h"

namespace snarl::scan {
namespace {

using Raw = ZydisDecodedInstruction;
using RawOperand = ZydisDecodedOperand;

bool is_general(ZydisRegister which) {
  switch (ZydisRegisterGetClass(which)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
    case ZYDIS_REGCLASS_IP:
    case ZYDIS_REGCLASS_FLAGS: return true;
    default: return false;
  }
}

bool is_plain_kind(const Raw& raw) {
  switch (raw.meta.category) {
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_IO:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_STRINGOP:
    case ZYDIS_CATEGORY_FLAGOP: return false;
    default: break;
  }
  if (raw.mnemonic == ZYDIS_MNEMONIC_CPUID || raw.mnemonic == ZYDIS_MNEMONIC_RDTSC) return false;
  switch (raw.meta.isa_ext) {
    case ZYDIS_ISA_EXT_BASE:
    case ZYDIS_ISA_EXT_LONGMODE:
    case ZYDIS_ISA_EXT_CET:
    case ZYDIS_ISA_EXT_BMI1:
    case ZYDIS_ISA_EXT_BMI2: return true;
    default: return raw.mnemonic == ZYDIS_MNEMONIC_NOP;
  }
}

bool reads(const RawOperand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0; }
bool writes(const RawOperand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0; }

bool is_memory(const RawOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

uint8_t number_of(ZydisRegister which) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, which);
  const bool general = whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15;
  return general ? static_cast<uint8_t>(whole - ZYDIS_REGISTER_RAX) : wire::kNoRegister;
}

// False: the instruction does what is not plain.
bool add(const RawOperand& operand, PlainStep& step, bool& pops) {
  if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.reg.value != ZYDIS_REGISTER_NONE) {
    if (!is_general(operand.reg.value)) return false;
    const bool whole = operand.size == 64 && writes(operand);
    if (whole && operand.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT) step.to = number_of(operand.reg.value);
  }
  if (!is_memory(operand)) return operand.type != ZYDIS_OPERAND_TYPE_POINTER;
  if (operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN) {  // the stack's top
    step.pushes |= writes(operand);
    pops |= reads(operand);
    return operand.mem.base == ZYDIS_REGISTER_RSP || operand.mem.base == ZYDIS_REGISTER_RBP;
  }
  step.reads |= reads(operand);
  step.writes |= writes(operand);
  step.size = static_cast<uint8_t>(operand.size / 8);
  return true;
}

}  // namespace

std::optional<PlainStep> plain_step(std::string_view bytes) {
  Raw raw;
  RawOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder(), bytes.data(), bytes.size(), &raw, operands)))
    return std::nullopt;
  if (!is_plain_kind(raw)) return std::nullopt;
  PlainStep step{.length = raw.length};
  if (raw.mnemonic == ZYDIS_MNEMONIC_NOP) return step;  // its operand is not accessed
  bool pops = false;
  for (uint8_t i = 0; i < raw.operand_count; ++i)
    if (!add(operands[i], step, pops)) return std::nullopt;
  const auto instruction = decode(0, bytes);
  if (!instruction) return std::nullopt;
  const bool calls = instruction->flow == Flow::kCall;  // pushes where it returns to
  step.jumps = instruction->flow != Flow::kNext;
  step.copies = (step.pushes && step.reads && !calls) || (pops && step.writes);
  step.operand = instruction->patched.operand;
  return step;
}

}  // namespace snarl::scan
