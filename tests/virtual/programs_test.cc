// The mini-suite: every wrong program is found, no correct one fails, spinners end.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/virtual/mini_programs.h"

namespace snarl {
namespace {

virtual_world::VirtualResult run_mini(const MiniProgram& program, const char* policy, double depth, uint64_t seed,
                                      uint64_t index) {
  return virtual_world::run_virtual(
      program.body, virtual_world::virtual_run(policy, depth, seed, index, program.n, program.k), 20'000);
}

// The first schedule that shows the bug, at most `schedules`; nothing but the bug is ever shown.
uint64_t first_failure(const MiniProgram& program, const char* policy, uint64_t seed, uint64_t schedules) {
  for (uint64_t i = 0; i < schedules; ++i) {
    const virtual_world::VirtualResult result = run_mini(program, policy, program.depth, seed, i);
    if (result.outcome == program.fails) return i + 1;
    EXPECT_EQ(result.outcome, OutcomeKind::kOk) << program.name << " " << policy << " " << i;
  }
  return schedules + 1;
}

TEST(WrongPrograms, AreFoundByRandom) {
  for (const MiniProgram& program : wrong_programs())
    for (uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_LE(first_failure(program, "random", seed, 500), 500u) << program.name;
}

TEST(WrongPrograms, AreFoundByPct) {
  for (const MiniProgram& program : wrong_programs())
    for (uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_LE(first_failure(program, "pct", seed, 2000), 2000u) << program.name;
}

void expect_silence(const MiniProgram& program, const char* policy, double depth) {
  for (uint64_t i = 0; i < 2000; ++i) {
    const virtual_world::VirtualResult result = run_mini(program, policy, depth, 1, i);
    ASSERT_EQ(result.outcome, OutcomeKind::kOk)
        << program.name << " " << policy << " depth " << depth << " index " << i << ": " << result.message;
  }
}

TEST(CorrectPrograms, NeverFail) {
  for (const MiniProgram& program : correct_programs()) {
    expect_silence(program, "random", 0);
    for (int depth = 1; depth <= 4; ++depth) expect_silence(program, "pct", depth);
  }
}

// A program that spins on a flag must always end, under every policy.
TEST(SpinningPrograms, EndUnderRandom) {
  for (const MiniProgram& program : spinning_programs()) expect_silence(program, "random", 0);
}
TEST(SpinningPrograms, EndUnderPct) {
  for (const MiniProgram& program : spinning_programs())
    for (int depth = 1; depth <= 4; ++depth) expect_silence(program, "pct", depth);
}
// Replay past the end of a recording goes on without preemption: it must not spin for ever either.
TEST(SpinningPrograms, EndUnderAnEmptyRecording) {
  for (const MiniProgram& program : spinning_programs())
    EXPECT_EQ(run_mini(program, "follow", 0, 1, 1).outcome, OutcomeKind::kOk) << program.name;
}

// n and k of the list above are right: no run has more.
TEST(MiniPrograms, StayWithinTheirProfile) {
  for (const auto& list : {wrong_programs(), correct_programs()})
    for (const MiniProgram& program : list)
      for (uint64_t i = 0; i < 500; ++i) {
        const virtual_world::VirtualResult result = run_mini(program, i % 2 ? "random" : "pct", 3, 2, i);
        ASSERT_LE(result.created, program.n) << program.name;
        ASSERT_LE(result.steps, program.k) << program.name;
      }
}

}  // namespace
}  // namespace snarl
