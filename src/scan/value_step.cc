#include "scan/value_step.h"

#include "scan/decoder.h"

namespace snarl::scan {
namespace {

using Raw = ZydisDecodedInstruction;
using RawOperand = ZydisDecodedOperand;

constexpr uint8_t kNoRegister = 0xff;

uint8_t number_of(ZydisRegister which) {
  if (which == ZYDIS_REGISTER_NONE) return kNoRegister;
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, which);
  const bool general = whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15;
  return general ? static_cast<uint8_t>(whole - ZYDIS_REGISTER_RAX) : kNoRegister;
}

Place memory_of(uint64_t end, const ZydisDecodedOperandMem& memory) {
  Place place{.kind = Place::kMemory, .number = memory.disp.has_displacement ? memory.disp.value : 0};
  if (memory.base == ZYDIS_REGISTER_RIP)
    place.number += static_cast<int64_t>(end);
  else
    place.base = number_of(memory.base);
  place.index = number_of(memory.index);
  place.scale = place.index == kNoRegister ? 0 : memory.scale;
  const bool thread_local_memory = memory.segment == ZYDIS_REGISTER_FS || memory.segment == ZYDIS_REGISTER_GS;
  return thread_local_memory ? Place() : place;
}

Place place_of(uint64_t end, const RawOperand& operand) {
  switch (operand.type) {
    case ZYDIS_OPERAND_TYPE_REGISTER: {
      const uint8_t number = number_of(operand.reg.value);
      return number == kNoRegister ? Place() : Place{.kind = Place::kRegister, .base = number};
    }
    case ZYDIS_OPERAND_TYPE_MEMORY: return memory_of(end, operand.mem);
    case ZYDIS_OPERAND_TYPE_IMMEDIATE: return {.kind = Place::kConstant, .number = operand.imm.value.s};
    default: return {};
  }
}

Action action_of(const Raw& raw) {
  switch (raw.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD: return Action::kCopy;
    case ZYDIS_MNEMONIC_ADD: return Action::kAdd;
    case ZYDIS_MNEMONIC_AND: return Action::kMask;
    case ZYDIS_MNEMONIC_CMP: return Action::kCompare;
    case ZYDIS_MNEMONIC_SUB: return Action::kSubtract;
    case ZYDIS_MNEMONIC_LEA: return Action::kTakeAddress;
    case ZYDIS_MNEMONIC_JMP: return Action::kJump;
    case ZYDIS_MNEMONIC_CALL: return Action::kCall;
    default: return Action::kOther;
  }
}

Condition condition_of(const Raw& raw) {
  switch (raw.mnemonic) {
    case ZYDIS_MNEMONIC_JNBE: return Condition::kAbove;
    case ZYDIS_MNEMONIC_JBE: return Condition::kNotAbove;
    case ZYDIS_MNEMONIC_JB: return Condition::kBelow;
    case ZYDIS_MNEMONIC_JNB: return Condition::kNotBelow;
    default: return Condition::kOther;
  }
}

void add_written(const RawOperand& operand, ValueStep& step) {
  if ((operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) return;
  if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) step.writes_memory = true;
  if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return;
  const uint8_t number = number_of(operand.reg.value);
  if (number != kNoRegister) step.registers |= uint32_t{1} << number;
}

}  // namespace

std::optional<ValueStep> value_step(uint64_t address, std::string_view bytes) {
  Raw raw;
  RawOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder(), bytes.data(), bytes.size(), &raw, operands)))
    return std::nullopt;
  const uint64_t end = address + raw.length;
  ValueStep step;
  step.action = action_of(raw);
  step.condition = condition_of(raw);
  if (raw.operand_count_visible > 0) step.to = place_of(end, operands[0]);
  if (raw.operand_count_visible > 1) step.from = place_of(end, operands[1]);
  if (raw.operand_count_visible > 1) step.bytes = static_cast<uint8_t>(operands[1].size / 8);
  const bool only_widens = raw.mnemonic == ZYDIS_MNEMONIC_CDQE;  // a register's own value
  for (uint8_t i = 0; i < raw.operand_count && !only_widens; ++i) add_written(operands[i], step);
  const ZydisAccessedFlags* flags = raw.cpu_flags;
  step.writes_flags = flags != nullptr && (flags->modified | flags->set_0 | flags->set_1 | flags->undefined) != 0;
  return step;
}

}  // namespace snarl::scan
