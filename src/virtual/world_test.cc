// The toolkit itself: results reach their callers, bodies reach their threads.
#include "virtual/world.h"

#include <gtest/gtest.h>

#include <memory>

#include "virtual/every_schedule.h"

namespace snarl {
namespace {

Task nothing(World&) { co_return; }

// The point after create, unlock or signal may be overtaken; the caller still gets its own result.
TEST(World, ResultsOutliveThePointAfter) {
  const VirtualProgram program = [](World& w) -> Task {
    co_await w.lock(0, MutexKind::kErrorCheck);
    const int a = co_await w.create([](World& v) -> Task {
      v.expect(co_await v.unlock(0, MutexKind::kErrorCheck) == EPERM, "unlock of another's");
      v.expect(co_await v.trylock(0) == EBUSY, "trylock");
    });
    w.expect(a == 1, "the first child's slot");
    w.expect(co_await w.signal(1) == 0, "signal");
    w.expect(co_await w.join(a) == 0, "join");
    w.expect(co_await w.join(a) == ESRCH, "second join");
  };
  for_every_schedule(program, false,
                     [](const VirtualResult& r) { ASSERT_EQ(r.outcome, OutcomeKind::kOk) << r.message; });
}

// Two threads create at the same time; each child runs the body that its own parent gave it, captures and all.
TEST(World, BodiesAreNotMixedUp) {
  const auto parent = [](int id) {
    return [id](World& w) -> Task {
      auto heap = std::make_shared<int>(id);
      const VirtualProgram child = [heap, id](World& v) -> Task {
        co_await v.event();
        v.note(*heap);
        v.expect(*heap == id, "a captured value");
      };
      heap.reset();
      co_await w.create(child);
    };
  };
  const VirtualProgram program = [=](World& w) -> Task {
    const int a = co_await w.create(parent(1));
    const int b = co_await w.create(parent(2));
    co_await w.join(a);
    co_await w.join(b);
  };
  for (uint64_t i = 0; i < 2000; ++i) {
    const VirtualResult r = run_virtual(program, virtual_run("random", 0, 1, i, 5, 40));
    ASSERT_EQ(r.outcome, OutcomeKind::kOk) << r.message;
    ASSERT_TRUE((r.trace == std::vector<int>{1, 2}) || (r.trace == std::vector<int>{2, 1}));
  }
}

TEST(World, TooManyThreadsAreRefused) {
  const VirtualProgram program = [](World& w) -> Task {
    for (int i = 1; i < kMaxThreads; ++i) co_await w.create(nothing);
    w.note(co_await w.create(nothing));
  };
  const VirtualResult r = run_virtual(program, virtual_run("random", 0, 1, 1, 2, 10));
  EXPECT_EQ(r.outcome, OutcomeKind::kOk);
  EXPECT_EQ(r.trace, std::vector<int>{-1});
  EXPECT_EQ(r.created, static_cast<uint32_t>(kMaxThreads));
}

// Slots come and go by the thousand; far more threads than slots over one run, under a plan made for two.
TEST(World, TenThousandShortThreads) {
  const VirtualProgram program = [](World& w) -> Task {
    for (int i = 0; i < 10'000; ++i) {
      const int t = co_await w.create(nothing);
      if (i % 3 == 0)
        co_await w.detach(t);
      else
        co_await w.join(t);
    }
  };
  for (const char* policy : {"random", "pct"}) {
    const VirtualResult r = run_virtual(program, virtual_run(policy, 3, 1, 1, 2, 100));
    EXPECT_EQ(r.outcome, OutcomeKind::kOk);
    EXPECT_EQ(r.created, 10'001u);
  }
}

TEST(World, MoreObjectsThanTheModelHoldsIsRefused) {
  const VirtualProgram program = [](World& w) -> Task {
    for (int m = 0;; ++m) co_await w.lock(m);
  };
  EXPECT_EQ(run_virtual(program, virtual_run("random", 0, 1, 1, 2, 100)).outcome, OutcomeKind::kRefused);
}

}  // namespace
}  // namespace snarl
