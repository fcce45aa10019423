#include "scan/instruction.h"

#include "scan/decoder.h"

namespace snarl::scan {
namespace {

using Raw = ZydisDecodedInstruction;
using wire::Fixup;
using wire::PatchPoint;

bool has(const Raw& raw, ZydisInstructionAttributes attribute) { return (raw.attributes & attribute) != 0; }

bool has_memory(const Raw& raw) { return has(raw, ZYDIS_ATTRIB_HAS_MODRM) && raw.raw.modrm.mod != 3; }

bool is_rip_relative(const Raw& raw) { return has_memory(raw) && raw.raw.modrm.mod == 0 && raw.raw.modrm.rm == 5; }

bool is_stop(const Raw& raw) {
  switch (raw.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
    case ZYDIS_MNEMONIC_INT3: return true;
    default: return raw.meta.category == ZYDIS_CATEGORY_RET;
  }
}

bool is_relative_branch(const Raw& raw) { return has(raw, ZYDIS_ATTRIB_IS_RELATIVE) && raw.raw.imm[0].is_relative; }

Flow flow_of(const Raw& raw) {
  const bool direct = is_relative_branch(raw);
  switch (raw.meta.category) {
    case ZYDIS_CATEGORY_COND_BR: return Flow::kBranch;
    case ZYDIS_CATEGORY_UNCOND_BR: return direct ? Flow::kJump : Flow::kIndirect;
    case ZYDIS_CATEGORY_CALL: return Flow::kCall;
    default: return is_stop(raw) ? Flow::kStop : Flow::kNext;
  }
}

// `jmp *name(%rip)` is a call of another module at the end of a function.
bool jumps_by_table(const Raw& raw) { return !is_rip_relative(raw); }

constexpr uint8_t kRcx = 1;

// The processor's random numbers, into a register.
bool is_random(const Raw& raw) {
  return raw.mnemonic == ZYDIS_MNEMONIC_RDRAND || raw.mnemonic == ZYDIS_MNEMONIC_RDSEED;
}

// Its count of cycles, into rdx and rax.
bool is_cycles(const Raw& raw) { return raw.mnemonic == ZYDIS_MNEMONIC_RDTSC || raw.mnemonic == ZYDIS_MNEMONIC_RDTSCP; }

wire::Operand operand_of(const Raw& raw) {
  wire::Operand operand;
  const auto& modrm = raw.raw.modrm;
  const uint8_t b = raw.raw.rex.B ? 8 : 0, x = raw.raw.rex.X ? 8 : 0;
  if (is_random(raw)) operand.base = static_cast<uint8_t>(modrm.rm | b);
  if (raw.mnemonic == ZYDIS_MNEMONIC_RDTSCP) operand.base = kRcx;
  if (!has_memory(raw)) return operand;
  operand.displacement = static_cast<int32_t>(raw.raw.disp.value);
  if (has(raw, ZYDIS_ATTRIB_HAS_SEGMENT_FS)) operand.segment = wire::Segment::kFs;
  if (has(raw, ZYDIS_ATTRIB_HAS_SEGMENT_GS)) operand.segment = wire::Segment::kGs;
  if (is_rip_relative(raw)) {
    operand.base = wire::kRip;
  } else if (modrm.rm == 4) {
    const auto& sib = raw.raw.sib;
    const bool no_base = sib.base == 5 && modrm.mod == 0;
    const auto index = static_cast<uint8_t>(sib.index | x);
    if (!no_base) operand.base = static_cast<uint8_t>(sib.base | b);
    if (index != 4) operand.index = index;
    operand.scale = static_cast<uint8_t>(sib.scale);
  } else {
    operand.base = static_cast<uint8_t>(modrm.rm | b);
  }
  return operand;
}

uint8_t size_of(const Raw& raw) {
  if (raw.mnemonic == ZYDIS_MNEMONIC_CMPXCHG16B) return 16;
  if (raw.mnemonic == ZYDIS_MNEMONIC_CMPXCHG8B) return 8;
  return static_cast<uint8_t>(raw.operand_width / 8);
}

// `lock orq $0, (%rsp)`, also a little below it: compilers' fence.
bool is_stack_fence(const Raw& raw) {
  constexpr uint8_t kRsp = 4;
  return raw.mnemonic == ZYDIS_MNEMONIC_OR && operand_of(raw).base == kRsp && raw.raw.imm[0].size != 0 &&
         raw.raw.imm[0].value.u == 0;
}

// A waiting loop contains one.
bool is_pause(const Raw& raw) {
  return raw.mnemonic == ZYDIS_MNEMONIC_PAUSE || raw.mnemonic == ZYDIS_MNEMONIC_TPAUSE ||
         raw.mnemonic == ZYDIS_MNEMONIC_UMWAIT;
}

PatchPoint point_of(const Raw& raw) {
  if (is_pause(raw)) return PatchPoint::kPause;
  if (raw.mnemonic == ZYDIS_MNEMONIC_MFENCE) return PatchPoint::kFence;
  if (is_random(raw)) return PatchPoint::kRandom;
  if (is_cycles(raw)) return PatchPoint::kCycles;
  if (!has_memory(raw)) return PatchPoint::kNone;
  if (raw.mnemonic == ZYDIS_MNEMONIC_XCHG) return PatchPoint::kStore;
  if (!has(raw, ZYDIS_ATTRIB_HAS_LOCK)) return PatchPoint::kNone;
  return is_stack_fence(raw) ? PatchPoint::kFence : PatchPoint::kRmw;
}

// How it is written at another address; false: it can't be moved.
bool set_fixup(const Raw& raw, wire::PatchedInstruction& to) {
  if (is_relative_branch(raw)) {
    const bool is_jcc =
        raw.meta.category == ZYDIS_CATEGORY_COND_BR && (raw.opcode & 0xf0) == (raw.raw.imm[0].size == 8 ? 0x70 : 0x80);
    to.fixup = is_jcc ? Fixup::kBranch : Fixup::kJump;
    return is_jcc || raw.meta.category == ZYDIS_CATEGORY_UNCOND_BR;  // not loop, jrcxz, call, xbegin
  }
  if (raw.meta.category == ZYDIS_CATEGORY_CALL) return false;  // the call must return to its original place
  if (!is_rip_relative(raw)) return true;
  to.fixup = Fixup::kDisplacement;
  to.fixup_at = raw.raw.disp.offset;
  return raw.raw.disp.size == 32 && !has(raw, ZYDIS_ATTRIB_HAS_ADDRESSSIZE);
}

void set_flags(const Raw& raw, Instruction& to) {
  if (raw.cpu_flags == nullptr) return;
  const ZydisAccessedFlags& flags = *raw.cpu_flags;
  to.flags_read = flags.tested & kArithmeticFlags;
  to.flags_written = (flags.modified | flags.set_0 | flags.set_1 | flags.undefined) & kArithmeticFlags;
}

uint64_t constant_of(const Raw& raw) {
  const auto& immediate = raw.raw.imm[0];
  return immediate.size >= 32 && !immediate.is_relative ? immediate.value.u : 0;
}

bool decode_raw(std::string_view bytes, Raw& raw) {
  ZydisDecoderContext context;
  return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder(), &context, bytes.data(), bytes.size(), &raw));
}

void set_flow(uint64_t address, const Raw& raw, Instruction& to) {
  to.address = address;
  to.length = raw.length;
  to.flow = flow_of(raw);
  if (is_relative_branch(raw)) to.target = to.end() + static_cast<uint64_t>(raw.raw.imm[0].value.s);
  if (is_rip_relative(raw)) to.refers_to = to.end() + static_cast<uint64_t>(raw.raw.disp.value);
  to.immediate = constant_of(raw);
  to.by_table = to.flow == Flow::kIndirect && jumps_by_table(raw);
  to.padding = raw.mnemonic == ZYDIS_MNEMONIC_NOP || raw.mnemonic == ZYDIS_MNEMONIC_INT3;
  to.is_return = raw.meta.category == ZYDIS_CATEGORY_RET;
  to.takes_address = raw.mnemonic == ZYDIS_MNEMONIC_LEA && is_rip_relative(raw);
  to.patched.point = point_of(raw);
}

}  // namespace

std::optional<Instruction> decode(uint64_t address, std::string_view bytes) {
  Raw raw;
  if (!decode_raw(bytes, raw)) return std::nullopt;
  Instruction result;
  set_flow(address, raw, result);
  set_flags(raw, result);
  result.patched.length = raw.length;
  result.movable = set_fixup(raw, result.patched);
  result.patched.after = result.patched.point == PatchPoint::kRmw || result.patched.point == PatchPoint::kStore;
  result.patched.size = size_of(raw);
  result.patched.operand = operand_of(raw);
  return result;
}

bool decode_flow(uint64_t address, std::string_view bytes, Instruction& result) {
  Raw raw;
  if (!decode_raw(bytes, raw)) return false;
  result.target = result.refers_to = 0;
  set_flow(address, raw, result);
  return true;
}

}  // namespace snarl::scan
