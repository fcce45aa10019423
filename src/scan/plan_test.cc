#include "scan/plan.h"

#include <gtest/gtest.h>

#include <cstring>

#include "scan/instruction.h"

namespace snarl::scan {
namespace {

using wire::Patch;
using wire::PatchPoint;
using wire::PatchWay;

constexpr uint64_t kCode = 0x1000, kData = 0x3000;

std::string bytes_of(std::string_view hex) {
  std::string result;
  for (size_t i = 0; i + 1 < hex.size();) {
    if (hex[i] == ' ') {
      ++i;
      continue;
    }
    result += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    i += 2;
  }
  return result;
}

// One function of that code at kCode, with nothing around it.
struct Program {
  explicit Program(std::string_view hex, std::string_view data_hex = "")
      : code(bytes_of(hex)), data(bytes_of(data_hex)) {
    image.segments = {{kCode, code, true}, {kData, data, false}};
    image.functions = {{kCode, kCode + code.size()}};
  }
  Program(const Program&) = delete;

  std::vector<Patch> patches() const { return plan_patches(image).patches; }
  uint32_t sites() const { return plan_patches(image).sites; }

  std::string code, data;
  CodeImage image;
};

Patch only_patch(const Program& program) {
  const std::vector<Patch> all = program.patches();
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Patch() : all[0];
}

constexpr const char* kRet = "c3";

TEST(Plan, OurOwnHooksAreLeftAlone) {
  Program program("f0 48 83 05 00 01 00 00 01 c3");
  program.image.hooks = {{kCode, kCode + program.code.size()}};
  EXPECT_TRUE(program.patches().empty());
  EXPECT_EQ(program.sites(), 0u);
}

TEST(Plan, LongInstructionIsPatchedAlone) {
  const Patch patch = only_patch(Program("f0 48 83 05 00 01 00 00 01 c3"));  // lock addq $1, 0x100(%rip); ret
  EXPECT_EQ(patch.way, PatchWay::kAlone);
  EXPECT_EQ(patch.address, kCode);
  EXPECT_EQ(patch.length, 9);
  EXPECT_EQ(patch.count, 1);
  EXPECT_EQ(patch.instructions[0].point, PatchPoint::kRmw);
  EXPECT_TRUE(patch.instructions[0].after);
  EXPECT_EQ(patch.instructions[0].size, 8);
}

TEST(Plan, RipRelativeDisplacementIsFixed) {
  const Patch patch = only_patch(Program("f0 0f b1 0d 00 02 00 00 c3"));  // lock cmpxchg %ecx, 0x200(%rip)
  EXPECT_EQ(patch.instructions[0].fixup, wire::Fixup::kDisplacement);
  EXPECT_EQ(patch.instructions[0].fixup_at, 4);
  EXPECT_EQ(patch.instructions[0].operand.base, wire::kRip);
  EXPECT_EQ(patch.instructions[0].operand.displacement, 0x200);
}

TEST(Plan, OperandOfAllParts) {
  const Patch patch = only_patch(Program("f0 64 43 83 04 ac 01 c3"));  // lock addl $1, %fs:(%r12,%r13,4)
  const wire::Operand& operand = patch.instructions[0].operand;
  EXPECT_EQ(operand.base, 12);
  EXPECT_EQ(operand.index, 13);
  EXPECT_EQ(operand.scale, 2);
  EXPECT_EQ(operand.segment, wire::Segment::kFs);
  EXPECT_EQ(patch.instructions[0].size, 4);
}

std::vector<Patch> patches_with_load(const Program& program, uint64_t end) {
  const uint64_t loads[] = {kCode + end};
  return plan_patches(program.image, {}, loads).patches;
}

// 1: movzbl 1(%rdi),%eax; test %al,%al; je 1b; ret. The load is a byte, though it fills four.
TEST(Plan, LoadOfASpinLoopIsAPoint) {
  const Program program("0f b6 47 01 84 c0 74 f8 c3");
  EXPECT_TRUE(program.patches().empty());
  const std::vector<Patch> patches = patches_with_load(program, 4);
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].address, kCode);
  EXPECT_EQ(patches[0].way, PatchWay::kFollowing);
  EXPECT_EQ(patches[0].count, 2);
  EXPECT_EQ(patches[0].instructions[0].point, PatchPoint::kLoad);
  EXPECT_EQ(patches[0].instructions[0].size, 1);
  EXPECT_FALSE(patches[0].instructions[0].after);
  EXPECT_EQ(patches[0].instructions[0].operand.base, 7);
  EXPECT_EQ(plan_patches(program.image, {}, {}).sites, 0u);
}

// 1: cmpl $0,0x100(%rip); je 1b; ret
TEST(Plan, AComparisonIsALoad) {
  const std::vector<Patch> patches = patches_with_load(Program("83 3d 00 01 00 00 00 74 f7 c3"), 7);
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].way, PatchWay::kAlone);
  EXPECT_EQ(patches[0].instructions[0].fixup, wire::Fixup::kDisplacement);
  EXPECT_FALSE(patches[0].instructions[0].flags_before) << "it overwrites them";
}

TEST(Plan, OnlyTheEndOfALoadNamesOne) {
  const Program program("0f b6 47 01 84 c0 74 f8 c3");
  for (const uint64_t end : {0, 1, 2, 3, 5, 6, 7, 8, 9, 100})
    EXPECT_TRUE(patches_with_load(program, end).empty()) << end;
  EXPECT_TRUE(patches_with_load(Program("89 07 eb fc c3"), 2).empty()) << "mov %eax,(%rdi) is a store";
  EXPECT_TRUE(patches_with_load(Program("ff 07 eb fc c3"), 2).empty()) << "incl (%rdi) is both";
  EXPECT_TRUE(patches_with_load(Program("ff 17 eb fc c3"), 2).empty()) << "call *(%rdi)";
}

TEST(Plan, ALoadThatIsDisputedIsLeftAlone) {
  // jmp +1; (a byte that the linear decode takes for the begin of an instruction) 1: mov (%rdi),%eax; jmp 1b
  const Program program("eb 01 b8 8b 07 eb fc c3 c3");
  EXPECT_TRUE(patches_with_load(program, 5).empty());
}

TEST(Plan, ShortInstructionTakesTheFollowing) {
  // xchg %eax,(%rdi); mov %eax,%ecx; cmp $1,%ecx; ret
  const Patch patch = only_patch(Program("87 07 89 c1 83 f9 01 c3"));
  EXPECT_EQ(patch.way, PatchWay::kFollowing);
  EXPECT_EQ(patch.address, kCode);
  EXPECT_EQ(patch.length, 7);
  EXPECT_EQ(patch.count, 3);
  EXPECT_EQ(patch.instructions[0].point, PatchPoint::kStore);
  EXPECT_EQ(patch.instructions[1].point, PatchPoint::kNone);
}

TEST(Plan, ConditionalBranchMayBeTheLastAndIsWidened) {
  // xchg %eax,(%rdi); test %eax,%eax; jne +0; ret
  const Patch patch = only_patch(Program("87 07 85 c0 75 00 c3"));
  EXPECT_EQ(patch.way, PatchWay::kFollowing);
  EXPECT_EQ(patch.count, 3);
  EXPECT_EQ(patch.instructions[2].fixup, wire::Fixup::kBranch);
}

TEST(Plan, BranchIntoThePatchForbidsTheFollowing) {
  // xor %eax,%eax; xchg %eax,(%rdi); 4: mov %eax,%ecx; cmp $1,%ecx; jne 4; ret
  const Patch patch = only_patch(Program("31 c0 87 07 89 c1 83 f9 01 75 f9 c3"));
  EXPECT_EQ(patch.way, PatchWay::kTrap);  // before it there are two bytes only
  EXPECT_EQ(patch.address, kCode + 2);
  EXPECT_EQ(patch.count, 1);
}

TEST(Plan, ThePrecedingAreTakenInstead) {
  // mov (%rdi),%rax; xchg %eax,(%rdi); 5: mov %eax,%ecx; cmp $1,%ecx; jne 5; ret
  const Patch patch = only_patch(Program("48 8b 07 87 07 89 c1 83 f9 01 75 f9 c3"));
  EXPECT_EQ(patch.way, PatchWay::kPreceding);
  EXPECT_EQ(patch.address, kCode);
  EXPECT_EQ(patch.length, 5);
  EXPECT_EQ(patch.instructions[0].point, PatchPoint::kNone);
  EXPECT_EQ(patch.instructions[1].point, PatchPoint::kStore);
}

TEST(Plan, ASiteThatIsATargetHasNoPreceding) {
  // mov (%rdi),%rax; 3: xchg %eax,(%rdi); jmp 3
  EXPECT_EQ(only_patch(Program("48 8b 07 87 07 eb fc")).way, PatchWay::kTrap);  // four bytes up to where it ends
  // mov (%rdi),%rax; 3: pause; call 3: neither may be moved
  EXPECT_EQ(only_patch(Program("48 8b 07 f3 90 e8 f9 ff ff ff c3")).way, PatchWay::kTrap);
}

TEST(Plan, CallsAreNeverMoved) {
  // xchg %eax,(%rdi); call +0x20 (outside of what we see); ret
  EXPECT_EQ(only_patch(Program("87 07 e8 1b 00 00 00 c3")).way, PatchWay::kTrap);
}

TEST(Plan, PaddingNearbyIsUsedFirst) {
  // xchg %eax,(%rdi); mov %eax,%ecx; ret; nopw 0(%rax,%rax); another function: ret
  Program program("87 07 89 c1 c3 66 0f 1f 04 00 66 90 c3");
  program.image.functions = {{kCode, kCode + 5}, {kCode + 12, kCode + 13}};
  const Patch patch = only_patch(program);
  EXPECT_EQ(patch.way, PatchWay::kHole);
  EXPECT_EQ(patch.hole, kCode + 5);
  EXPECT_EQ(patch.length, 2);
}

TEST(Plan, EachPaddingIsUsedOnce) {
  // xchg %eax,(%rdi); xchg %eax,(%rsi); ret; six nops
  Program program("87 07 87 06 c3 90 90 90 90 90 90");
  program.image.functions = {{kCode, kCode + 5}};
  const std::vector<Patch> all = program.patches();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].way, PatchWay::kHole);
  EXPECT_NE(all[1].way, PatchWay::kHole);
}

TEST(Plan, PaddingThatIsExecutedIsNoHole) {
  // xchg %eax,(%rdi); jmp 3f; nops as loop alignment, reached by nobody, but then data: not nops
  EXPECT_NE(only_patch(Program("87 07 eb 05 01 02 03 04 05 c3")).way, PatchWay::kHole);
  // nops on the way to ret
  EXPECT_EQ(only_patch(Program("87 07 90 90 90 90 90 c3")).way, PatchWay::kFollowing);
}

TEST(Plan, LandingPadInsideThePatch) {
  Program program("87 07 89 c1 83 f9 01 c3");
  program.image.landings = {kCode + 2};
  EXPECT_EQ(only_patch(program).way, PatchWay::kTrap);
}

TEST(Plan, CodeAddressInDataInsideThePatch) {
  Program program("87 07 89 c1 83 f9 01 c3");
  program.image.pointers = {kCode + 4};
  EXPECT_EQ(only_patch(program).way, PatchWay::kTrap);
}

TEST(Plan, FunctionThatIsNotSureHasNoLongPatches) {
  Program program("87 07 89 c1 83 f9 01 c3");
  program.image.functions[0].sure = false;
  EXPECT_EQ(only_patch(program).way, PatchWay::kTrap);
}

// lea kData(%rip),%rdx; movslq (%rdx,%rax,4),%rax; add %rdx,%rax; jmp *%rax; then at +16:
// xchg %eax,(%rdi); mov %eax,%ecx; cmp $1,%ecx; ret
constexpr const char* kSwitch = "48 8d 15 f9 1f 00 00 48 63 04 82 48 01 d0 ff e0 87 07 89 c1 83 f9 01 c3";

TEST(Plan, JumpTableLeadsToCode) {
  const Patch patch = only_patch(Program(kSwitch, "10 e0 ff ff 17 e0 ff ff 00 00 00 00"));  // +16, +23
  EXPECT_EQ(patch.address, kCode + 16);
  EXPECT_EQ(patch.way, PatchWay::kFollowing);
}

TEST(Plan, JumpTableIntoThePatch) {
  EXPECT_EQ(only_patch(Program(kSwitch, "10 e0 ff ff 12 e0 ff ff 00 00 00 00")).way, PatchWay::kTrap);  // +16, +18
}

// cmp $1,%eax; ja to the ret; and the switch: two entries
constexpr const char* kBounded =
    "83 f8 01 77 17 48 8d 15 f4 1f 00 00 48 63 04 82 48 01 d0 ff e0 87 07 89 c1 83 f9 01 c3";

TEST(Plan, ComparisonBoundsTheTable) {
  // +21, +28 (ret); behind the end +23, which is in the middle: a target, but nothing is followed there
  const Patch patch = only_patch(Program(kBounded, "15 e0 ff ff 1c e0 ff ff 17 e0 ff ff 00 00 00 00"));
  EXPECT_EQ(patch.way, PatchWay::kTrap);
  EXPECT_EQ(only_patch(Program(kBounded, "15 e0 ff ff 1c e0 ff ff 00 00 00 00")).way, PatchWay::kFollowing);
}

TEST(Plan, EntriesBehindTheEndAreNotFollowed) {
  // the third entry leads to +22, into the xchg
  const Program program(kBounded, "15 e0 ff ff 1c e0 ff ff 16 e0 ff ff 00 00 00 00");
  EXPECT_EQ(only_patch(program).address, kCode + 21);
  EXPECT_EQ(plan_patches(program.image).disputed, 0u);
  // a bounded one that does so speaks against the linear decode
  EXPECT_TRUE(Program(kBounded, "15 e0 ff ff 16 e0 ff ff 00 00 00 00").patches().empty());
}

TEST(Plan, UnoptimisedSwitch) {
  // cmpl $1,-4(%rbp); ja to the ret; mov -4(%rbp),%eax; lea 0(,%rax,4),%rdx; lea kData(%rip),%rax; mov
  // (%rdx,%rax),%eax; cltq; lea kData(%rip),%rdx; add %rdx,%rax; jmp *%rax; at +43: xchg %eax,(%rdi); mov %eax,%ecx;
  // cmp $1,%ecx; at +50: ret
  constexpr const char* kCodeBytes =
      "83 7d fc 01 77 2c 8b 45 fc 48 8d 14 85 00 00 00 00 48 8d 05 e8 1f 00 00 8b 04 02 48 98 48 8d 15 dc 1f 00 00"
      "48 01 d0 ff e0 90 90 87 07 89 c1 83 f9 01 c3";
  // the third entry leads into the xchg, and is behind the end
  const Patch patch = only_patch(Program(kCodeBytes, "2b e0 ff ff 32 e0 ff ff 2c e0 ff ff 00 00 00 00"));
  EXPECT_EQ(patch.address, kCode + 43);
  EXPECT_EQ(patch.way, PatchWay::kTrap);
}

TEST(Plan, JumpWithoutATableMakesTheFunctionUnsure) {
  // jne +2; jmp *%rax; xchg %eax,(%rdi); mov %eax,%ecx; cmp $1,%ecx; ret
  EXPECT_EQ(only_patch(Program("75 02 ff e0 87 07 89 c1 83 f9 01 c3")).way, PatchWay::kTrap);
}

TEST(Plan, JumpToAnotherModuleDoesNot) {
  // jne +6; jmp *0x100(%rip); xchg ...
  EXPECT_EQ(only_patch(Program("75 06 ff 25 00 01 00 00 87 07 89 c1 83 f9 01 c3")).way, PatchWay::kFollowing);
}

TEST(Plan, DataInCodeIsNotPatched) {
  // jmp over 6 bytes of data that look like lock addl $1,(%rax), cut; ret
  const Program program("eb 06 f0 83 00 01 f0 83 c3");
  EXPECT_TRUE(program.patches().empty());
  EXPECT_EQ(program.sites(), 1u);  // a sweep shows one
}

TEST(Plan, CodeThatRunsIntoNonsenseIsNotPatched) {
  // call +0 (never returns); lock xadd %eax,(%rdi); then bytes that are not an instruction
  EXPECT_TRUE(Program("e8 00 00 00 00 f0 0f c1 07 90 06 06").patches().empty());
}

TEST(Plan, OverlappingCodeIsNotPatched) {
  // jne into the middle of the mov, where a lock xadd is
  EXPECT_TRUE(Program("75 01 b8 f0 0f c1 07 c3").patches().empty());
  // jne into a mov; what is behind it in the same function is left alone as well
  const Program program("75 01 b8 90 90 90 90 f0 0f c1 07 c3");
  EXPECT_TRUE(program.patches().empty());
  EXPECT_EQ(plan_patches(program.image).disputed, 1u);
}

TEST(Plan, JumpBehindTheLockPrefixLeavesOneByte) {
  // jne to the lock xadd without its prefix
  const Patch patch = only_patch(Program("75 01 f0 0f c1 07 90 90 c3"));
  EXPECT_EQ(patch.way, PatchWay::kTrap);
  EXPECT_EQ(patch.address, kCode + 2);
}

TEST(Plan, BreakBeforeTheSite) {
  // jmp over a byte that is not an instruction; lock xadd
  const Program program("eb 01 06 f0 0f c1 07 c3");
  EXPECT_TRUE(program.patches().empty());
  EXPECT_EQ(plan_patches(program.image).disputed, 1u);
}

TEST(Plan, DataThatDerailsTheLinearDecode) {
  // jmp over the first byte of a mov, into which the linear decode takes the lock xadd
  EXPECT_TRUE(Program("eb 01 b8 f0 0f c1 07 90 c3").patches().empty());
}

TEST(Plan, FunctionInTheMiddleOfAnInstruction) {
  // mov $imm; ret, where a symbol says that a lock xadd begins inside the mov, and another one behind it
  Program program("b8 f0 0f c1 07 f0 0f c1 07 c3");
  program.image.functions = {{kCode, kCode + 1, true, kCode + 10}, {kCode + 1, kCode + 10, true, kCode + 10}};
  EXPECT_TRUE(program.patches().empty());
}

TEST(Plan, CodeWithoutAFunctionIsNotPatched) {
  Program program("f0 48 83 05 00 01 00 00 01 c3");
  program.image.functions.clear();
  program.image.entry = kCode;
  EXPECT_TRUE(program.patches().empty());
  EXPECT_EQ(plan_patches(program.image).disputed, 1u);
}

TEST(Plan, EndBranchIsATarget) {
  // xchg %eax,(%rdi); endbr64; mov %eax,%ecx; ret
  EXPECT_EQ(only_patch(Program("87 07 f3 0f 1e fa 89 c1 c3")).way, PatchWay::kTrap);
}

TEST(Plan, FlagsAreDeadBeforeWhatOverwritesThem) {
  const Patch patch = only_patch(Program("f0 48 83 05 00 01 00 00 01 74 00 c3"));  // lock add; je
  EXPECT_FALSE(patch.instructions[0].flags_before);
  EXPECT_TRUE(patch.instructions[0].flags_after);
}

TEST(Plan, FlagsLiveAcrossXchg) {
  // cmp $1,%ecx; xchg %eax,0x100(%rip); sete %al; ret
  const Patch patch = only_patch(Program("83 f9 01 87 05 00 01 00 00 0f 94 c0 c3"));
  EXPECT_TRUE(patch.instructions[0].flags_before);
  EXPECT_TRUE(patch.instructions[0].flags_after);
}

TEST(Plan, FlagsDeadAcrossXchgIfOverwrittenNext) {
  // xchg %eax,0x100(%rip); test %eax,%eax; sete %al; ret
  const Patch patch = only_patch(Program("87 05 00 01 00 00 85 c0 0f 94 c0 c3"));
  EXPECT_FALSE(patch.instructions[0].flags_before);
  EXPECT_FALSE(patch.instructions[0].flags_after);
}

TEST(Plan, FlagsThatAreOnlyPartlyOverwrittenLive) {
  // lock incl 0x100(%rip) keeps the carry; adc $0,%eax
  const Patch inc = only_patch(Program("f0 ff 05 00 01 00 00 83 d0 00 c3"));
  EXPECT_TRUE(inc.instructions[0].flags_before);
  // lock btsl $3,(%rdi) keeps the zero flag
  EXPECT_TRUE(only_patch(Program("f0 0f ba 2f 03 c3")).instructions[0].flags_before);
}

TEST(Plan, FencesAndPauses) {
  EXPECT_EQ(only_patch(Program("f0 48 83 0c 24 00 c3")).instructions[0].point,
            PatchPoint::kFence);                                                                  // lock orq $0,(%rsp)
  EXPECT_EQ(only_patch(Program("0f ae f0 90 90 c3")).instructions[0].point, PatchPoint::kFence);  // mfence
  const Patch pause = only_patch(Program("f3 90 85 c0 74 fa c3"));  // pause; test %eax,%eax; je back
  EXPECT_EQ(pause.instructions[0].point, PatchPoint::kPause);
  EXPECT_FALSE(pause.instructions[0].after);
  EXPECT_EQ(pause.way, PatchWay::kFollowing);
  const Patch timed = only_patch(Program("66 0f ae f1 85 c0 74 f8 c3"));  // tpause %ecx; test %eax,%eax; je back
  EXPECT_EQ(timed.instructions[0].point, PatchPoint::kPause);
}

TEST(Plan, RandomNumbersArePatchedAndAreNoSites) {
  const Program program("49 0f c7 f1 c3");  // rdrand %r9
  EXPECT_EQ(program.sites(), 0u);
  const Patch wide = only_patch(program);
  EXPECT_EQ(wide.instructions[0].point, PatchPoint::kRandom);
  EXPECT_EQ(wide.instructions[0].operand.base, 9);
  EXPECT_EQ(wide.instructions[0].size, 8);
  const Patch narrow = only_patch(Program("66 0f c7 fb c3"));  // rdseed %bx
  EXPECT_EQ(narrow.instructions[0].point, PatchPoint::kRandom);
  EXPECT_EQ(narrow.instructions[0].operand.base, 3);
  EXPECT_EQ(narrow.instructions[0].size, 2);
}

TEST(Plan, CountsOfCyclesArePatchedAndAreNoSites) {
  const Program program("0f 31 48 c1 e2 20 c3");  // rdtsc; shl $32,%rdx
  EXPECT_EQ(program.sites(), 0u);
  EXPECT_EQ(only_patch(program).instructions[0].point, PatchPoint::kCycles);
  EXPECT_EQ(only_patch(program).instructions[0].operand.base, wire::kNoRegister);
  const Patch with_core = only_patch(Program("0f 01 f9 48 c1 e2 20 c3"));  // rdtscp
  EXPECT_EQ(with_core.instructions[0].point, PatchPoint::kCycles);
  EXPECT_EQ(with_core.instructions[0].operand.base, 1);
}

TEST(Plan, SixteenBytesAndNarrowOnes) {
  EXPECT_EQ(only_patch(Program("f0 48 0f c7 0e c3")).instructions[0].size, 16);    // lock cmpxchg16b (%rsi)
  EXPECT_EQ(only_patch(Program("86 05 00 01 00 00 c3")).instructions[0].size, 1);  // xchg %al,0x100(%rip)
}

TEST(Plan, XchgOfRegistersIsNoSite) { EXPECT_EQ(Program("87 c8 c3").sites(), 0u); }

TEST(Plan, OnePatchMayHoldTwoSites) {
  // pause; pause; mov %eax,%ecx; ret
  const Patch patch = only_patch(Program("f3 90 f3 90 89 c1 c3"));
  EXPECT_EQ(patch.count, 3);
  EXPECT_EQ(patch.instructions[1].point, PatchPoint::kPause);
}

TEST(Plan, LoopInstructionsAreNotMoved) {
  EXPECT_EQ(only_patch(Program("87 07 90 e3 00 c3")).way, PatchWay::kTrap);  // xchg; nop; jrcxz
}

TEST(Plan, EmptyAndTinyCode) {
  EXPECT_TRUE(Program("").patches().empty());
  EXPECT_TRUE(Program(kRet).patches().empty());
  EXPECT_TRUE(Program("f0").patches().empty());
  EXPECT_EQ(only_patch(Program("f3 90 c3")).way, PatchWay::kTrap);
}

TEST(Plan, AnythingCanBeScanned) {
  uint32_t state = 1;
  for (int round = 0; round < 200; ++round) {
    std::string file(4096, '\0');
    for (char& c : file) c = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    if (round % 2 == 0)
      std::memcpy(file.data(),
                  "\x7f"
                  "ELF\2\1\1",
                  7),
          file[18] = 62, file[19] = 0;
    plan_patches(read_code(file));
    Program program("");
    program.image.segments = {{kCode, file, true}};
    program.image.functions = {{kCode, kCode + file.size()}};
    for (const Patch& patch : plan_patches(program.image).patches)
      EXPECT_EQ(std::memcmp(patch.bytes, file.data() + (patch.address - kCode), patch.length), 0);
  }
}

}  // namespace
}  // namespace snarl::scan
