#include "census/effects.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include "census/system_calls.h"

namespace snarl::census {
namespace {

constexpr int kSelf = 100;

EffectKind kind(uint64_t number, std::array<uint64_t, 6> arguments = {}, uint64_t flags = 0) {
  return effect_of({number, arguments}, flags, kSelf).kind;
}

TEST(Effects, OpeningForReadingIsNone) {
  EXPECT_EQ(kind(SYS_openat, {0, 1, O_RDONLY | O_CLOEXEC}), EffectKind::kNone);
  EXPECT_EQ(kind(SYS_openat, {0, 1, O_RDONLY | O_CREAT}), EffectKind::kWrites);
  EXPECT_EQ(kind(SYS_open, {1, O_RDWR}), EffectKind::kWrites);
  EXPECT_EQ(kind(SYS_openat2, {0, 1, 1}, O_WRONLY), EffectKind::kWrites);
  EXPECT_EQ(kind(SYS_openat2, {0, 1, 1}, O_RDONLY), EffectKind::kNone);
  EXPECT_TRUE(is_harmless_path("/dev/null"));
  EXPECT_FALSE(is_harmless_path("/dev/nullx"));
}

TEST(Effects, AThreadIsNoProcess) {
  EXPECT_EQ(kind(SYS_clone, {SIGCHLD}), EffectKind::kStarts);
  EXPECT_EQ(kind(SYS_clone, {CLONE_VM | CLONE_THREAD}), EffectKind::kNone);
  EXPECT_EQ(flags_behind(SYS_clone3), 0);
  EXPECT_EQ(kind(SYS_clone3, {1}, CLONE_VM | CLONE_THREAD), EffectKind::kNone);
  EXPECT_EQ(kind(SYS_clone3, {1}, CLONE_VM | CLONE_VFORK), EffectKind::kStarts);
}

TEST(Effects, SignalsToOthersOnly) {
  EXPECT_EQ(kind(SYS_kill, {kSelf, 15}), EffectKind::kNone);
  EXPECT_EQ(kind(SYS_tgkill, {kSelf, 101, 6}), EffectKind::kNone);
  EXPECT_EQ(kind(SYS_kill, {55, 0}), EffectKind::kNone);
  EXPECT_EQ(effect_of({SYS_kill, {55, 9}}, 0, kSelf).on, EffectOn::kProcess);
  EXPECT_EQ(effect_of({SYS_kill, {static_cast<uint64_t>(-1), 9}}, 0, kSelf).on, EffectOn::kProcessGroup);
}

// The two tables are made apart: what has an effect here may not count as restorable there, unless it is one that ends
// with the process.
TEST(Effects, AgreeWithTheClasses) {
  const std::array<uint64_t, 6> arguments{55, O_WRONLY, O_WRONLY, 9, 1, 16};
  size_t effects = 0;
  for (uint64_t number = 0; number < 1000; ++number) {
    const Effect effect = effect_of({number, arguments}, O_WRONLY, kSelf);
    if (effect.kind == EffectKind::kNone) continue;
    ++effects;
    const Classes classes = classes_of(number);
    EXPECT_NE(classes & ~kUnknown, 0) << number;
    const bool ends_with_process =
        effect.kind == EffectKind::kRuns || effect.on == EffectOn::kTimer || effect.on == EffectOn::kIoUring;
    EXPECT_TRUE(ends_with_process || !is_restorable(classes)) << number;
    EXPECT_LT(effect.argument, 6);
    EXPECT_EQ(effect.argument != 0 && effect.on != EffectOn::kPath && effect.on != EffectOn::kAddress, false) << number;
  }
  EXPECT_GT(effects, 40u);
}

}  // namespace
}  // namespace snarl::census
