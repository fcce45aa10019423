#include "explain/sanitizer_report.h"

#include <gtest/gtest.h>

#include "explain/diagnose/test_records.h"
#include "explain/signature.h"

namespace snarl::explain {
namespace {

constexpr const char* kReport =
    "working\n"
    "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x55 bp 0x7f sp 0x7f\n"
    "WRITE of size 8 at 0x602000000010 thread T1\n"
    "    #0 0x55ef in use(S*) /src/uaf.cc:2:48\n"
    "\n"
    "0x602000000010 is located 0 bytes inside of 16-byte region [0x602000000010,0x602000000020)\n"
    "freed by thread T2 here:\n"
    "LLVMSymbolizer: error reading file: No such file or directory\n"
    "    #0 0x7f99 in operator delete(void*) (/lib/libasan.so.8+0xb94c8)\n"
    "    #1 0x55ef in drop(S*) /src/uaf.cc:9\n"
    "    #2 0x55ef in main /src/uaf.cc:12:3\n"
    "\n"
    "previously allocated by thread T0 here:\n"
    "    #0 0x7f99 in operator new(unsigned long) (/lib/libasan.so.8+0xb84c8)\n"
    "    #1 0x55ef in main /src/uaf.cc:7\n"
    "\n"
    "Thread T1 created by T0 here:\n"
    "    #0 0x7f99 in pthread_create (/lib/libasan.so.8+0x1)\n"
    "SUMMARY: AddressSanitizer: heap-use-after-free /src/uaf.cc:2:48 in use(S*)\n"
    "Shadow bytes around the buggy address:\n"
    "  0x0c: 00 00\n";

TEST(SanitizerReportTest, WhoFreedAndAllocatedIt) {
  const std::vector<report::FindingDeed> deeds = sanitizer_deeds(kReport, "/src");
  ASSERT_EQ(deeds.size(), 2u);
  EXPECT_EQ(deeds[0].kind, report::DeedKind::kFreed);
  EXPECT_EQ(deeds[0].thread, 2u);
  EXPECT_EQ(deeds[0].place.function, "drop");
  EXPECT_EQ(deeds[0].place.file, "uaf.cc");
  EXPECT_EQ(deeds[0].place.line, 9);
  EXPECT_EQ(deeds[0].stack.size(), 3u);
  EXPECT_EQ(deeds[1].kind, report::DeedKind::kAllocated);
  EXPECT_EQ(deeds[1].thread, 0u);
  EXPECT_EQ(deeds[1].place.line, 7);
}

TEST(SanitizerReportTest, NoReport) {
  EXPECT_TRUE(sanitizer_deeds("", "/src").empty());
  EXPECT_TRUE(sanitizer_deeds("freed by thread T1 here:\n#0 0x1 in f /f.cc:1\n", "/src").empty())
      << "the program's own text";
  EXPECT_TRUE(sanitizer_deeds("AddressSanitizer: \nfreed by thread T here:", "/").size() == 1u) << "cut off";
}

TEST(SanitizerReportTest, TheDumpIsLeftOut) {
  const std::string text = without_shadow(kReport);
  EXPECT_TRUE(text.ends_with("in use(S*)\n"));
  EXPECT_EQ(without_shadow("a\n"), "a\n");
}

record::RunRecord ended(const char* message, uint64_t pc) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kCheck;
  r.message = message;
  r.modules = {unknown_bank()};
  r.threads = {live(0, OpKind::kLock, kHeapA, pc)};
  return r;
}

// The error and where it is: not the sizes and values, which differ between schedules.
TEST(SanitizerReportTest, Signatures) {
  const auto of = [](const char* message, uint64_t pc) { return signature_of(ended(message, pc)); };
  const std::string freed = of("AddressSanitizer: heap-use-after-free, write of 8 bytes", kBias + 1);
  EXPECT_EQ(freed, of("AddressSanitizer: heap-use-after-free, read of 4 bytes", kBias + 1));
  EXPECT_NE(freed, of("AddressSanitizer: heap-use-after-free, write of 8 bytes", kBias + 2));
  EXPECT_NE(freed, of("AddressSanitizer: heap-buffer-overflow, write of 8 bytes", kBias + 1));
  const std::string overflow = of("UndefinedBehaviorSanitizer: signed-integer-overflow, 1 + 2 (f.cc:3)", kBias + 1);
  EXPECT_EQ(overflow, of("UndefinedBehaviorSanitizer: signed-integer-overflow, 7 + 2 (f.cc:3)", kBias + 1));
  EXPECT_NE(overflow, of("UndefinedBehaviorSanitizer: signed-integer-overflow, 1 + 2 (f.cc:4)", kBias + 1));
  EXPECT_EQ(sanitizer_error("AddressSanitizer: SEGV"), "SEGV");
  EXPECT_FALSE(is_sanitizers(ended("balance is wrong", kBias)));
}

}  // namespace
}  // namespace snarl::explain
