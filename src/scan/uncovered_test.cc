#include "scan/uncovered.h"

#include <gtest/gtest.h>

#include <string>

namespace snarl::scan {
namespace {

constexpr uint64_t kCode = 0x1000, kHook = 0x2000, kConstants = 0x3000, kData = 0x4000;

// One function of that code, a hook, constants and data.
bool is_covered(std::string_view code, std::string_view ret = "\xc3") {
  CodeImage image;
  const std::string constants(16, '\0'), data(16, '\0');
  image.segments = {
      {kCode, code, true}, {kHook, ret, true}, {kConstants, constants, false}, {kData, data, false, true}};
  image.functions = {{kCode, kCode + code.size()}, {kHook, kHook + 1}};
  image.hooks = {{kHook, kHook + 1}};
  return uncovered_functions(image).empty();
}

std::string code_of(std::initializer_list<int> bytes) {
  std::string result;
  for (const int byte : bytes) result += static_cast<char>(byte);
  return result;
}

TEST(Uncovered, AnAccessByAPointer) {
  EXPECT_FALSE(is_covered(code_of({0x8b, 0x07, 0xc3})));        // mov (%rdi),%eax
  EXPECT_FALSE(is_covered(code_of({0x89, 0x37, 0xc3})));        // mov %esi,(%rdi)
  EXPECT_FALSE(is_covered(code_of({0xf3, 0xa4, 0xc3})));        // rep movsb
  EXPECT_FALSE(is_covered(code_of({0x87, 0x37, 0xc3})));        // xchg %esi,(%rdi)
  EXPECT_FALSE(is_covered(code_of({0x8b, 0x04, 0xbe, 0xc3})));  // mov (%rsi,%rdi,4),%eax
}

TEST(Uncovered, AFunctionThatTells) {
  // call kHook; mov (%rdi),%eax; ret
  EXPECT_TRUE(is_covered(code_of({0xe8, 0xfb, 0x0f, 0, 0, 0x8b, 0x07, 0xc3})));
  // mov (%rdi),%eax; jmp kHook
  EXPECT_TRUE(is_covered(code_of({0x8b, 0x07, 0xe9, 0xf9, 0x0f, 0, 0})));
}

TEST(Uncovered, AtomicInstructionsOfItsOwn) {
  // call kHook; xchg %esi,(%rdi); ret
  EXPECT_FALSE(is_covered(code_of({0xe8, 0xfb, 0x0f, 0, 0, 0x87, 0x37, 0xc3})));
  // call kHook; lock incl (%rdi); ret
  EXPECT_FALSE(is_covered(code_of({0xe8, 0xfb, 0x0f, 0, 0, 0xf0, 0xff, 0x07, 0xc3})));
}

TEST(Uncovered, ItsOwnStackIsNobodyElses) {
  EXPECT_TRUE(is_covered(code_of({0x8b, 0x44, 0x24, 0x08, 0xc3})));  // mov 8(%rsp),%eax
  EXPECT_TRUE(
      is_covered(code_of({0x55, 0x48, 0x89, 0xe5, 0x8b, 0x45, 0xfc})));  // push; mov %rsp,%rbp; mov -4(%rbp),%eax
  EXPECT_FALSE(is_covered(code_of({0x8b, 0x45, 0xfc, 0xc3})));           // rbp may be anything
  EXPECT_TRUE(is_covered(code_of({0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0, 0xc3})));  // mov %fs:0x28,%rax
}

TEST(Uncovered, ConstantsAreReadOnly) {
  EXPECT_TRUE(is_covered(code_of({0x8b, 0x05, 0xfa, 0x1f, 0, 0, 0xc3})));   // mov kConstants(%rip),%eax
  EXPECT_FALSE(is_covered(code_of({0x8b, 0x05, 0xfa, 0x2f, 0, 0, 0xc3})));  // mov kData(%rip),%eax
  EXPECT_FALSE(is_covered(code_of({0x89, 0x05, 0xfa, 0x2f, 0, 0, 0xc3})));  // mov %eax,kData(%rip)
}

TEST(Uncovered, AddressesAndWhatIsNoAccess) {
  EXPECT_TRUE(is_covered(code_of({0x48, 0x8d, 0x07, 0xc3})));        // lea (%rdi),%rax
  EXPECT_TRUE(is_covered(code_of({0x0f, 0x1f, 0x40, 0x00, 0xc3})));  // nopl 0(%rax)
  EXPECT_TRUE(is_covered(code_of({0xff, 0x25, 0xfa, 0x2f, 0, 0})));  // jmp *kData(%rip)
  EXPECT_FALSE(is_covered(code_of({0x06})));                         // no instruction: nothing is known
}

}  // namespace
}  // namespace snarl::scan
