// Functions that the user named: where they are patched, and how.
#include <gtest/gtest.h>

#include "scan/plan.h"

namespace snarl::scan {
namespace {

using wire::Patch;
using wire::PatchPoint;
using wire::PatchWay;

constexpr uint64_t kCode = 0x1000;

// One function of that code, named with that use.
struct Program {
  Program(std::string bytes, FunctionUse use) : code(std::move(bytes)) {
    image.segments = {{kCode, code, true}};
    image.functions = {{kCode, kCode + code.size()}};
    named.address = kCode;
    named.what.use = use;
    named.what.argument = 1;
  }
  Program(const Program&) = delete;

  std::vector<Patch> patches() const { return plan_patches(image, {&named, 1}).patches; }

  std::string code;
  CodeImage image;
  NamedFunction named;
};

std::string bytes(const char* text, size_t size) { return {text, size}; }

TEST(Named, EntryOfALongInstruction) {
  const Program program(bytes("\xb8\x01\x00\x00\x00\xc3", 6), FunctionUse::kPoint);
  const auto patches = program.patches();
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].way, PatchWay::kAlone);
  EXPECT_EQ(patches[0].instructions[0].named.use, FunctionUse::kPoint);
  EXPECT_TRUE(patches[0].instructions[0].named.begins);
  EXPECT_FALSE(patches[0].instructions[0].flags_before);
}

TEST(Named, ShortOnesGoOn) {
  const Program program(bytes("\x53\x48\x8d\x1d\x00\x01\x00\x00\x5b\xc3", 10), FunctionUse::kPoint);
  const auto patches = program.patches();
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].way, PatchWay::kFollowing);
  EXPECT_EQ(patches[0].count, 2);
}

// A short jump is two bytes long: it would reach into the next instruction.
TEST(Named, OneByteHasNoRoomForAShortJump) {
  const std::string code =
      bytes("\x53\x74\x05\xc3\x90\x90\x90\x90\x90\x90\x90\x90\xc3", 13);  // push; je; ret; nops; ret
  const auto patches = Program(code, FunctionUse::kPoint).patches();
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_NE(patches[0].way, PatchWay::kHole);
}

TEST(Named, NothingIsWrittenOverALandingMark) {
  const Program program(bytes("\xf3\x0f\x1e\xfa\xb8\x01\x00\x00\x00\xc3", 10), FunctionUse::kPoint);
  const auto patches = program.patches();
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].address, kCode + 4);
}

TEST(Named, AnAtomicInstructionThatComesFirstIsBoth) {
  const Program program(bytes("\xf0\x48\x83\x05\x00\x01\x00\x00\x01\xc3", 10), FunctionUse::kPoint);
  const auto patches = program.patches();
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].instructions[0].named.use, FunctionUse::kPoint);
  EXPECT_EQ(patches[0].instructions[0].point, PatchPoint::kRmw);
}

TEST(Named, EveryReturnOfAnUnlock) {
  // test %edi, %edi; je +7; movl $0, (%rsi); ret; movl $1, (%rsi); ret
  const Program program(bytes("\x85\xff\x74\x07\xc7\x06\x00\x00\x00\x00\xc3\xc7\x06\x01\x00\x00\x00\xc3", 18),
                        FunctionUse::kUnlock);
  int begins = 0, returns = 0;
  for (const Patch& patch : program.patches())
    for (int i = 0; i < patch.count; ++i) {
      begins += patch.instructions[i].named.begins ? 1 : 0;
      returns += patch.instructions[i].named.returns ? 1 : 0;
    }
  EXPECT_EQ(begins, 1);
  EXPECT_EQ(returns, 2);
}

TEST(Named, ATryThatEndsInAnotherFunctionIsLeftAlone) {
  const std::string code = bytes("\x31\xf6\xe9\x00\x10\x00\x00", 7);  // xor %esi, %esi; jmp elsewhere
  EXPECT_TRUE(Program(code, FunctionUse::kTryLock).patches().empty());
  EXPECT_FALSE(Program(code, FunctionUse::kUnlock).patches().empty());
}

TEST(Named, WhatIsNoCodeIsLeftAlone) {
  Program program(bytes("\xb8\x01\x00\x00\x00\xc3", 6), FunctionUse::kPoint);
  program.named.address = kCode + 2;  // in the middle of an instruction
  EXPECT_TRUE(program.patches().empty());
  program.named.address = 0x9000;
  EXPECT_TRUE(program.patches().empty());
}

}  // namespace
}  // namespace snarl::scan
