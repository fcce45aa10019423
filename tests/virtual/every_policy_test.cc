// What every policy of the catalog must do, and what its row promises. A new row is tested here without an edit.
// Statistics: exact binomial and chi-square tests with fixed seeds; a right policy fails by luck with less than 1e-9.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/test_statistics.h"
#include "policy/catalog.h"
#include "tests/virtual/mini_programs.h"
#include "virtual/world.h"

namespace snarl {
namespace {

using policy::PolicyInfo;
using virtual_world::VirtualResult;

std::vector<MiniProgram> all_programs() {
  std::vector<MiniProgram> all = wrong_programs();
  for (const auto& list : {correct_programs(), spinning_programs()}) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// The policies that users can give.
class EveryPolicy : public ::testing::TestWithParam<const PolicyInfo*> {
 protected:
  const PolicyInfo& info() const { return *GetParam(); }
  snarl::Run run_of(const MiniProgram& program, uint64_t index) const {
    return virtual_world::trial_run(info(), 7, index, program.n, program.k);
  }
  uint32_t turns(const snarl::Run& run) const {
    alignas(std::max_align_t) char memory[2048];
    Arena arena(memory, sizeof memory);
    return info().make(arena)->turns(run);
  }
  uint64_t found_in(const MiniProgram& program, uint64_t runs) const;
  void expect_turns_are_true(const PolicySpec& spec) const;
};

std::vector<const PolicyInfo*> of_users() {
  std::vector<const PolicyInfo*> result;
  for (const PolicyInfo& info : policy::policy_catalog())
    if (info.for_users) result.push_back(&info);
  return result;
}

std::string test_name(const ::testing::TestParamInfo<const PolicyInfo*>& test) {
  std::string name = test.param->name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryPolicy, ::testing::ValuesIn(of_users()), test_name);

TEST_P(EveryPolicy, ASeedMeansOneSchedule) {
  for (const MiniProgram& program : wrong_programs()) {
    const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
    std::set<uint64_t> hashes;
    for (uint64_t i = 0; i < 300; ++i) {
      snarl::Run run = run_of(program, i);
      counts.tell(run);
      run.settings.fairness = 0.01;
      const VirtualResult a = virtual_world::run_virtual(program.body, run),
                          b = virtual_world::run_virtual(program.body, run);
      ASSERT_EQ(a.hash, b.hash) << program.name << " " << i;
      ASSERT_EQ(a.steps, b.steps);
      ASSERT_EQ(a.outcome, b.outcome);
      hashes.insert(a.hash);
    }
    ASSERT_GT(hashes.size(), 1u) << program.name << ": always the same schedule, even with fairness";
  }
}

TEST_P(EveryPolicy, WhatItDidReplays) {
  for (const MiniProgram& program : all_programs()) {
    const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
    for (uint64_t i = 0; i < 50; ++i) {
      snarl::Run run = run_of(program, i);
      counts.tell(run);
      const VirtualResult recorded = virtual_world::run_virtual(program.body, run);
      snarl::Run again = virtual_world::virtual_run("follow", 0, 0, 0, program.n, program.k);
      again.follow = recorded.decisions;
      const VirtualResult replayed = virtual_world::run_virtual(program.body, again);
      ASSERT_EQ(replayed.outcome, recorded.outcome) << program.name << " " << i;
      ASSERT_EQ(replayed.hash, recorded.hash) << program.name << " " << i;
      ASSERT_EQ(replayed.trace, recorded.trace) << program.name << " " << i;
    }
  }
}

// Threads that spin politely always end.
TEST_P(EveryPolicy, FindsNothingInCorrectPrograms) {
  std::vector<MiniProgram> programs = correct_programs();
  for (MiniProgram& program : spinning_programs()) programs.push_back(std::move(program));
  for (const MiniProgram& program : programs) {
    const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
    for (uint64_t i = 0; i < 300; ++i) {
      snarl::Run run = run_of(program, i);
      counts.tell(run);
      const VirtualResult r = virtual_world::run_virtual(program.body, run, 20'000);
      ASSERT_EQ(r.outcome, OutcomeKind::kOk) << program.name << " " << i << ": " << r.message;
    }
  }
}

// No program has more different schedules than the policy says; and if none has more than one, it says so: otherwise a
// campaign runs the same schedule thousands of times.
void EveryPolicy::expect_turns_are_true(const PolicySpec& spec) const {
  size_t most = 0;
  uint32_t said = 0;
  for (const MiniProgram& program : all_programs()) {
    const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
    std::set<uint64_t> hashes;
    for (uint64_t i = 0; i < 200; ++i) {
      snarl::Run run = run_of(program, i);
      run.key.policy = spec;
      counts.tell(run);
      said = turns(run);
      hashes.insert(virtual_world::run_virtual(program.body, run, 20'000).hash);
    }
    if (said != 0) {
      EXPECT_LE(hashes.size(), said) << program.name;
    }
    most = std::max(most, hashes.size());
  }
  if (most == 1) {
    EXPECT_EQ(said, 1u);
  }
}

// With the parameters of the row, and with each at its least.
TEST_P(EveryPolicy, SaysHowManySchedulesItHas) {
  const PolicySpec trial = policy::trial_spec(info());
  expect_turns_are_true(trial);
  for (size_t i = 0; i < info().params.size(); ++i) {
    SCOPED_TRACE(info().params[i].name);
    PolicySpec spec = trial;
    spec.values[i] = info().params[i].min;
    expect_turns_are_true(spec);
  }
}

// Three threads that never block, while main waits for them: whoever took the last step, each is equally likely to take
// the next (disjoint pairs of steps).
TEST_P(EveryPolicy, IsUniformIfItPromisesSo) {
  if (!info().promises.uniform) GTEST_SKIP() << "it does not";
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = [](virtual_world::World& v) -> virtual_world::Task {
      for (int i = 0; i < 60; ++i) co_await v.event();
    };
    std::vector<int> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(co_await w.create(body));
    for (int id : ids) co_await w.join(id);
  };
  std::vector<uint64_t> pairs(9);
  for (uint64_t i = 0; i < 1000; ++i) {
    const snarl::Run run = virtual_world::trial_run(info(), 7, i, 4, 200);
    const std::vector<uint32_t> who = virtual_world::takers(virtual_world::run_virtual(program, run), 80);
    for (size_t s = 40; s < who.size(); s += 2)
      if (who[s] != 0 && who[s + 1] != 0) ++pairs[(who[s] - 1) * 3 + who[s + 1] - 1];
  }
  EXPECT_GT(uniform_tail(pairs), kByLuck);
  EXPECT_GT(pairs[0], 1500u);
}

// With a bound for bugs of depth d, it aims at the program's depth.
uint64_t EveryPolicy::found_in(const MiniProgram& program, uint64_t runs) const {
  const virtual_world::VirtualCounts counts = virtual_world::profile_virtual(program.body);
  uint64_t count = 0;
  for (uint64_t i = 0; i < runs; ++i) {
    snarl::Run run = run_of(program, i);
    if (info().promises.depth_bound) run.key.policy.values[0] = program.depth;
    counts.tell(run);
    count += virtual_world::run_virtual(program.body, run).outcome == program.fails;
  }
  return count;
}

TEST_P(EveryPolicy, FindsWhatItPromises) {
  constexpr uint64_t kRuns = 4000;
  const policy::Promises& promises = info().promises;
  if (!promises.finds_all && !promises.depth_bound) GTEST_SKIP() << "it promises nothing";
  for (const MiniProgram& program : wrong_programs()) {
    const uint64_t count = found_in(program, kRuns);
    const double bound = 1 / (program.n * std::pow(static_cast<double>(program.k), program.depth - 1));
    if (promises.finds_all) {
      EXPECT_TRUE(is_rate_within(count, kRuns, 0.01, 1)) << program.name << ": " << count;
    }
    if (promises.depth_bound) {
      EXPECT_TRUE(is_rate_within(count, kRuns, bound, 1)) << program.name << ": " << count;
    }
  }
}

// A lost update, by a policy that searches; the others need not.
TEST_P(EveryPolicy, FindsALostUpdateIfItSearches) {
  if (!info().promises.searches) GTEST_SKIP() << "it does not";
  int looked_at = 0;
  for (const MiniProgram& program : wrong_programs()) {
    if (std::string(program.name) != "lost update") continue;
    EXPECT_GT(found_in(program, 1000), 0u);
    ++looked_at;
  }
  EXPECT_EQ(looked_at, 1);
}

}  // namespace
}  // namespace snarl
