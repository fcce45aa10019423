// The shortest schedule that fails: compared with all schedules of a program, by brute force.
#include "schedule/shortener.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
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

// All outlines that leave one part out, or end one earlier.
std::vector<Outline> one_switch_changed(const Outline& outline) {
  std::vector<Outline> all;
  for (size_t i = 0; i < outline.size(); ++i) {
    all.push_back(outline);
    all.back().erase(all.back().begin() + static_cast<ptrdiff_t>(i));
    for (uint64_t until = outline[i].until; i + 1 < outline.size() && until-- > 1;) {
      all.push_back(outline);
      all.back()[i].until = until;
    }
  }
  return all;
}

TEST(Shortener, NoSingleSwitchCanBeDroppedOrMoved) {
  for (const MiniProgram& program : wrong_programs())
    for (const virtual_world::VirtualResult& failed : failing_runs(program, 10)) {
      const virtual_world::VirtualResult shortest = shortened(program, failed);
      const ScheduleLength length = length_of(shortest.decisions, shortest.steps);
      for (const Outline& changed : one_switch_changed(outline_of(shortest.decisions, shortest.steps))) {
        const virtual_world::VirtualResult tried = run(program, changed);
        EXPECT_TRUE(!same_failure(tried, failed) || length_of(tried.decisions, tried.steps) >= length) << program.name;
      }
    }
}

// One thread waits long before it looks, the other sets what it looks at: the switches come as early as they can.
TEST(Shortener, SwitchesComeAsEarlyAsTheyCan) {
  const MiniProgram program{"late look",
                            [](virtual_world::World& w) -> virtual_world::Task {
                              co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
                                for (int i = 0; i < 20; ++i) co_await v.event();
                                v.value[0] = 1;
                                for (int i = 0; i < 20; ++i) co_await v.event();
                              });
                              for (int i = 0; i < 30; ++i) co_await w.event();
                              w.expect(w.value[0] == 0, "set while it looked");
                            },
                            OutcomeKind::kAssert,
                            2,
                            2,
                            90};
  for (const virtual_world::VirtualResult& failed : failing_runs(program, 20)) {
    const virtual_world::VirtualResult shortest = shortened(program, failed);
    ASSERT_EQ(shortest.decisions.size(), 1u);
    EXPECT_EQ(shortest.decisions.front().step, 0u) << "the other thread comes first, as soon as it is there";
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

// The waiter tests the flag before it is set, and waits after the broadcast. Setting it is no point.
virtual_world::VirtualProgram unlocked_flag(int pushes) {
  struct State {
    int items = 0;
    bool closed = false;
  };
  return [pushes](virtual_world::World& w) -> virtual_world::Task {
    auto state = std::make_shared<State>();
    co_await w.create([state](virtual_world::World& v) -> virtual_world::Task {
      for (;;) {
        co_await v.lock(1);
        while (state->items == 0 && !state->closed) co_await v.wait(2, 1);
        const bool done = state->items == 0;
        if (!done) --state->items;
        co_await v.unlock(1);
        if (done) co_return;
      }
    });
    for (int i = 0; i < pushes; ++i) {
      co_await w.lock(1);
      ++state->items;
      co_await w.unlock(1);
      co_await w.signal(2);
    }
    state->closed = true;
    co_await w.broadcast(2);
  };
}

// Changes in one place alone end at five switches here: the waiter comes back after each signal.
TEST(Shortener, AScheduleWithFewerSwitchesMayBeFarAway) {
  const MiniProgram program{"unlocked_flag", unlocked_flag(2), OutcomeKind::kDeadlock, 2, 2, 60};
  uint64_t fewest = ~uint64_t{0};
  for_every_schedule(program.body, true, [&](const virtual_world::VirtualResult& r) {
    if (r.outcome == OutcomeKind::kDeadlock) fewest = std::min<uint64_t>(fewest, r.decisions.size());
  });
  for (const virtual_world::VirtualResult& failed : failing_runs(program, 30))
    EXPECT_LE(shortened(program, failed).decisions.size(), fewest);
}

// Independent of how it counts: nested loops over the same outlines.
TEST(FewParts, HasEveryOutlineOnce) {
  const std::vector<OutlinePart> threads = {{7, 2}, {8, 1}, {9, 3}};
  FewParts few(threads);
  std::vector<Outline> expected;
  const auto ends = [&](size_t t) {
    std::vector<uint64_t> all;
    for (uint64_t u = 1; u <= threads[t].until; ++u) all.push_back(u);
    all.push_back(FewParts::kToTheEnd);
    return all;
  };
  for (const uint64_t u : ends(0))
    for (size_t t = 1; t < 3; ++t) expected.push_back({{7, u}, {threads[t].thread, FewParts::kToTheEnd}});
  const size_t of_one = expected.size();
  for (const uint64_t u : ends(0))
    for (size_t t = 1; t < 3; ++t)
      for (const uint64_t v : ends(t))
        for (size_t last = 0; last < 3; ++last)
          if (last != t)
            expected.push_back({{7, u}, {threads[t].thread, v}, {threads[last].thread, FewParts::kToTheEnd}});
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(few.next(), expected[i]) << i;
    EXPECT_EQ(few.breaks(), i < of_one ? 1u : 2u);
  }
  EXPECT_EQ(few.next()->size(), 4u);
  EXPECT_FALSE(FewParts({{7, 5}}).next());
}

}  // namespace
}  // namespace snarl
