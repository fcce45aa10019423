// The list of patches of one program file: made by the scanner (src/scan), outside, and applied by the runtime
// (runtime/patch), which so needs no disassembler. A file in the cache, or a memfd, is exactly this:
// a PatchTable and its patches. Addresses are those of the file. Any change bumps kPatchVersion.
#pragma once

#include <cstdint>

#include "schedule/function_use.h"

namespace snarl::wire {

constexpr uint64_t kPatchMagic = 0x4843544150534e53;  // "SNSPATCH"
constexpr uint32_t kPatchVersion = 6;
constexpr uint32_t kMaxPatchBytes = 20;        // four short instructions and a long one
constexpr uint32_t kMaxPatchInstructions = 5;  // one byte each, at worst
constexpr uint8_t kJumpBytes = 5, kShortJumpBytes = 2;

// kLoad: of a loop that was seen to spin (docs/design/watching.md). The others are atomic instructions, or emulated.
enum class PatchPoint : uint8_t { kNone = 0, kRmw, kStore, kFence, kPause, kLoad, kRandom, kCycles };

// Not a schedule point: the runtime does what the instruction does (rdrand, rdseed; rdtsc, rdtscp), with the run's
// numbers and the run's time.
constexpr bool is_emulated(PatchPoint point) { return point == PatchPoint::kRandom || point == PatchPoint::kCycles; }

// How control gets from the site to its trampoline.
enum class PatchWay : uint8_t {
  kAlone = 0,  // a jump in the place of the instruction
  kHole,       // a short jump to a jump in padding nearby
  kFollowing,  // a jump in the place of the instruction and of those after it
  kPreceding,  // ... and of those before it
  kTrap,       // int3
};

enum class Fixup : uint8_t {
  kNone = 0,
  kDisplacement,  // RIP-relative: the 4 bytes at `fixup_at`
  kBranch,        // jcc: written anew with 4 bytes
  kJump,          // jmp: likewise
};

constexpr uint8_t kNoRegister = 0xff, kRip = 16;  // beside 0 to 15, in the order of the instruction set
enum class Segment : uint8_t { kNone = 0, kFs, kGs };

// The memory operand of a point; of kRandom the register that it sets, of kCycles the one for the number of the core,
// in `base`.
struct Operand {
  uint8_t base = kNoRegister;
  uint8_t index = kNoRegister;
  uint8_t scale = 0;  // as a shift
  Segment segment = Segment::kNone;
  int32_t displacement = 0;
};

// A function that the user named begins with this instruction, or returns by it.
struct Named {
  FunctionUse use = FunctionUse::kNone;
  bool begins = false;
  bool returns = false;
  bool zero_succeeds = false;  // of FunctionRule
  uint8_t argument = 0;        // likewise
};

struct PatchedInstruction {
  uint8_t length = 0;
  Fixup fixup = Fixup::kNone;
  uint8_t fixup_at = 0;
  PatchPoint point = PatchPoint::kNone;  // before it
  uint8_t size = 0;                      // of the operand, in bytes
  bool after = false;                    // there is a point after it as well
  bool flags_before = false;             // the arithmetic flags are needed at the point before,
  bool flags_after = false;              // at the point after
  Operand operand;
  Named named;  // its point comes first
};

// Whether there is a point at it, where atomic instructions are points or are not.
inline bool has_point(const PatchedInstruction& one, bool atomics) {
  return one.point == PatchPoint::kLoad || (atomics && one.point != PatchPoint::kNone);
}

struct Patch {
  uint64_t address = 0;  // of the first instruction
  uint64_t hole = 0;     // kHole: where the five bytes are
  PatchWay way = PatchWay::kAlone;
  uint8_t length = 0;  // bytes of the instructions below
  uint8_t count = 0;
  uint8_t bytes[kMaxPatchBytes] = {};  // as they are in the file: a place that looks otherwise is not patched
  PatchedInstruction instructions[kMaxPatchInstructions];
};

struct PatchTable {
  uint64_t magic = kPatchMagic;
  uint32_t version = kPatchVersion;
  uint32_t patch_size = sizeof(Patch);
  uint32_t build_id_size = 0;
  uint8_t build_id[20] = {};
  uint32_t disputed = 0;   // of the sites: perhaps no instructions at all, and left alone
  uint32_t sites = 0;      // atomic instructions found; some may have no patch
  uint32_t patches = 0;    // that follow
  uint32_t functions = 0;  // that the user named and that are here
  uint64_t matched = 0;    // a bit for each rule that names one of them
  uint64_t sum = 0;        // over the patches (wire::patch_sum)
};

// A file that was cut, or written by a machine that lost power, is noticed by this.
inline uint64_t patch_sum(const Patch* patches, uint32_t count) {
  uint64_t sum = 0xcbf29ce484222325;
  const auto* bytes = reinterpret_cast<const unsigned char*>(patches);
  for (uint64_t i = 0; i < uint64_t{count} * sizeof(Patch); ++i) sum = (sum ^ bytes[i]) * 0x100000001b3;
  return sum;
}

inline bool is_sound(const PatchTable& table, const Patch* patches, uint64_t bytes) {
  return bytes >= sizeof table && table.magic == kPatchMagic && table.version == kPatchVersion &&
         table.patch_size == sizeof(Patch) && bytes - sizeof table == uint64_t{table.patches} * sizeof(Patch) &&
         table.sum == patch_sum(patches, table.patches);
}

}  // namespace snarl::wire
