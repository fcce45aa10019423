// The example library's functions, called as the runtime calls them.
#include "policy/plugin.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/virtual/mini_programs.h"
#include "virtual/world.h"

namespace snarl {
namespace {

uint32_t first_enabled(void* state, const snarl_run*, const snarl_view* view) {
  ++*static_cast<uint64_t*>(state);
  EXPECT_LE(view->count, 8u);
  for (uint32_t i = 0; i < view->count; ++i)
    if (view->threads[i].enabled) return i;
  ADD_FAILURE() << "nobody is enabled";
  return 0;
}

uint32_t any_enabled(void*, const snarl_run* run, const snarl_view* view) {
  for (;;) {
    const auto i = static_cast<uint32_t>(run->random(run, view->count));
    if (view->threads[i].enabled) return i;
  }
}

uint32_t nonsense(void*, const snarl_run*, const snarl_view*) { return 12345; }

void expect_zero(void* state, const snarl_run* run) {
  EXPECT_EQ(*static_cast<uint64_t*>(state), 0u);
  EXPECT_EQ(run->threads, 3u);
  EXPECT_EQ(run->steps, 30u);
  EXPECT_EQ(run->value_count, 1u);
  EXPECT_EQ(run->values[0], 2.5);
}

snarl::Run run_with(const struct snarl_policy& library, uint64_t index) {
  snarl::Run run = virtual_world::virtual_run("plugin", 2.5, 1, index, 3, 30);
  run.key.policy.given = 1;
  run.plugin = &library;
  return run;
}

TEST(Plugin, ChoosesAndIsToldOfTheRun) {
  const struct snarl_policy library = {SNARL_POLICY_ABI, 8, expect_zero, first_enabled};
  for (const MiniProgram& program : correct_programs())
    EXPECT_EQ(virtual_world::run_virtual(program.body, run_with(library, 1)).outcome, OutcomeKind::kOk) << program.name;
}

TEST(Plugin, ItsDrawsComeFromTheSeed) {
  const struct snarl_policy library = {SNARL_POLICY_ABI, 0, nullptr, any_enabled};
  std::set<uint64_t> hashes;
  const MiniProgram program = wrong_programs()[0];
  for (uint64_t i = 0; i < 200; ++i) {
    const virtual_world::VirtualResult a = virtual_world::run_virtual(program.body, run_with(library, i));
    ASSERT_EQ(a.hash, virtual_world::run_virtual(program.body, run_with(library, i)).hash);
    hashes.insert(a.hash);
  }
  EXPECT_GT(hashes.size(), 50u);
}

TEST(Plugin, AnAnswerThatIsNobodyIsNotTheProgramsFault) {
  const struct snarl_policy library = {SNARL_POLICY_ABI, 0, nullptr, nonsense};
  for (const MiniProgram& program : correct_programs())
    EXPECT_EQ(virtual_world::run_virtual(program.body, run_with(library, 1)).outcome, OutcomeKind::kOk) << program.name;
}

}  // namespace
}  // namespace snarl
