// The shortest schedule that fails: compared with all schedules of a program, by brute force.
#include "schedule/shortener.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/virtual/every_schedule.h"
#include "tests/virtual/mini_programs.h"

namespace snarl {
namespace {

virtual_world::VirtualResult run(const MiniProgram& program, const Outline& outline) {
  std::vector<Decision> parts;
  for (const OutlinePart& part : outline) parts.push_back({.nth = part.until, .from = part.thread});
  snarl::Run run = virtual_world::virtual_run("outline", 0, 0, 0, program.n, program.k);
  run.follow = parts;
  return virtual_world::run_virtual(program.body, run);
}

bool same_failure(const virtual_world::VirtualResult& a, const virtual_world::VirtualResult& b) {
  return a.outcome == b.outcome && a.message == b.message;
}

virtual_world::VirtualResult shortened(const MiniProgram& program, const virtual_world::VirtualResult& failed,
                                       int most_tries = 20'000) {
  Shortener shortener(failed.decisions, failed.steps);
  virtual_world::VirtualResult shortest = failed;
  for (int tries = 0; tries < most_tries; ++tries) {
    const std::optional<Outline> outline = shortener.next();
    if (!outline) return shortest;
    const virtual_world::VirtualResult tried = run(program, *outline);
    if (!same_failure(tried, failed)) continue;
    const ScheduleLength before = shortener.length();
    if (!shortener.offer(tried.decisions, tried.steps)) continue;
    EXPECT_LT(shortener.length(), before);
    shortest = tried;
  }
  ADD_FAILURE() << program.name << ": it does not end";
  return shortest;
}

std::vector<virtual_world::VirtualResult> failing_runs(const MiniProgram& program, size_t wanted) {
  std::vector<virtual_world::VirtualResult> found;
  for (uint64_t i = 0; i < 20'000 && found.size() < wanted; ++i) {
    virtual_world::VirtualResult result = virtual_world::run_virtual(
        program.body, virtual_world::virtual_run(i % 2 ? "random" : "pct", 3, 5, i, program.n, program.k));
    if (result.outcome == program.fails) found.push_back(std::move(result));
  }
  return found;
}

// An outline of a whole run is that run.
TEST(Shortener, AnOutlineRepeatsItsRun) {
  for (const MiniProgram& program : wrong_programs())
    for (const virtual_world::VirtualResult& failed : failing_runs(program, 20)) {
      const virtual_world::VirtualResult again = run(program, outline_of(failed.decisions, failed.steps));
      EXPECT_EQ(again.hash, failed.hash) << program.name;
      EXPECT_EQ(again.steps, failed.steps) << program.name;
    }
}

// What is left fails in the same way, is never longer, and replays.
TEST(Shortener, TheShortestFailsInTheSameWay) {
  for (const MiniProgram& program : wrong_programs()) {
    const auto all = failing_runs(program, 20);
    ASSERT_FALSE(all.empty()) << program.name;
    for (const virtual_world::VirtualResult& failed : all) {
      const virtual_world::VirtualResult shortest = shortened(program, failed);
      EXPECT_TRUE(same_failure(shortest, failed)) << program.name;
      EXPECT_LE(length_of(shortest.decisions, shortest.steps), length_of(failed.decisions, failed.steps));
      snarl::Run follow = virtual_world::virtual_run("follow", 0, 0, 0, program.n, program.k);
      follow.follow = shortest.decisions;
      const virtual_world::VirtualResult replayed = virtual_world::run_virtual(program.body, follow);
      EXPECT_EQ(replayed.hash, shortest.hash) << program.name;
      EXPECT_TRUE(same_failure(replayed, failed)) << program.name;
    }
  }
}

// Two threads that take two locks in opposite order: of all schedules, none deadlocks with fewer switches.
virtual_world::VirtualProgram inversion(int before) {
  const auto other = [before](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < before; ++i) co_await w.event();
    co_await w.lock(1);
    co_await w.lock(2);
    co_await w.unlock(2);
    co_await w.unlock(1);
  };
  return [other](virtual_world::World& w) -> virtual_world::Task {
    co_await w.create(other);
    co_await w.lock(2);
    co_await w.lock(1);
    co_await w.unlock(1);
    co_await w.unlock(2);
  };
}

TEST(Shortener, NoScheduleHasFewerSwitches) {
  for (const int before : {0, 1, 2}) {
    const MiniProgram program{"inversion", inversion(before), OutcomeKind::kDeadlock, 2, 2, 40};
    uint64_t fewest = ~uint64_t{0};
    for_every_schedule(program.body, false, [&](const virtual_world::VirtualResult& r) {
      if (r.outcome == OutcomeKind::kDeadlock) fewest = std::min<uint64_t>(fewest, r.decisions.size());
    });
    const auto all = failing_runs(program, 50);
    ASSERT_EQ(all.size(), 50u);
    for (const virtual_world::VirtualResult& failed : all)
      EXPECT_EQ(shortened(program, failed).decisions.size(), fewest) << before;
  }
}

}  // namespace
}  // namespace snarl
