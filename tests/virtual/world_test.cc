// The toolkit itself: results reach their callers, bodies reach their threads.
#include "virtual/world.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/virtual/every_schedule.h"

namespace snarl {
namespace {

virtual_world::Task nothing(virtual_world::World&) { co_return; }

// The point after create, unlock or signal may be overtaken; the caller still gets its own result.
TEST(World, ResultsOutliveThePointAfter) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0, MutexKind::kErrorCheck);
    const int a = co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
      v.expect(co_await v.unlock(0, MutexKind::kErrorCheck) == EPERM, "unlock of another's");
      v.expect(co_await v.trylock(0) == EBUSY, "trylock");
    });
    w.expect(a == 1, "the first child's slot");
    w.expect(co_await w.signal(1) == 0, "signal");
    w.expect(co_await w.join(a) == 0, "join");
    w.expect(co_await w.join(a) == ESRCH, "second join");
  };
  for_every_schedule(program, false, [](const virtual_world::VirtualResult& r) {
    ASSERT_EQ(r.outcome, OutcomeKind::kOk) << r.message;
  });
}

// Two threads create at the same time; each child runs the body that its own parent gave it, captures and all.
TEST(World, BodiesAreNotMixedUp) {
  const auto parent = [](int id) {
    return [id](virtual_world::World& w) -> virtual_world::Task {
      auto heap = std::make_shared<int>(id);
      const virtual_world::VirtualProgram child = [heap, id](virtual_world::World& v) -> virtual_world::Task {
        co_await v.event();
        v.note(*heap);
        v.expect(*heap == id, "a captured value");
      };
      heap.reset();
      co_await w.create(child);
    };
  };
  const virtual_world::VirtualProgram program = [=](virtual_world::World& w) -> virtual_world::Task {
    const int a = co_await w.create(parent(1));
    const int b = co_await w.create(parent(2));
    co_await w.join(a);
    co_await w.join(b);
  };
  for (uint64_t i = 0; i < 2000; ++i) {
    const virtual_world::VirtualResult r =
        virtual_world::run_virtual(program, virtual_world::virtual_run("random", 0, 1, i, 5, 40));
    ASSERT_EQ(r.outcome, OutcomeKind::kOk) << r.message;
    ASSERT_TRUE((r.trace == std::vector<int>{1, 2}) || (r.trace == std::vector<int>{2, 1}));
  }
}

TEST(World, TooManyThreadsAreRefused) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 1; i < kMaxThreads; ++i) co_await w.create(nothing);
    w.note(co_await w.create(nothing));
  };
  const virtual_world::VirtualResult r =
      virtual_world::run_virtual(program, virtual_world::virtual_run("random", 0, 1, 1, 2, 10));
  EXPECT_EQ(r.outcome, OutcomeKind::kOk);
  EXPECT_EQ(r.trace, std::vector<int>{-1});
  EXPECT_EQ(r.created, static_cast<uint32_t>(kMaxThreads));
}

// Slots come and go by the thousand; far more threads than slots over one run, under a plan made for two.
TEST(World, TenThousandShortThreads) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 10'000; ++i) {
      const int t = co_await w.create(nothing);
      if (i % 3 == 0)
        co_await w.detach(t);
      else
        co_await w.join(t);
    }
  };
  for (const char* policy : {"random", "pct"}) {
    const virtual_world::VirtualResult r =
        virtual_world::run_virtual(program, virtual_world::virtual_run(policy, 3, 1, 1, 2, 100));
    EXPECT_EQ(r.outcome, OutcomeKind::kOk);
    EXPECT_EQ(r.created, 10'001u);
  }
}

TEST(World, MoreObjectsThanTheModelHoldsIsRefused) {
  const virtual_world::VirtualProgram program = [](virtual_world::World& w) -> virtual_world::Task {
    for (int m = 0;; ++m) co_await w.lock(m);
  };
  EXPECT_EQ(virtual_world::run_virtual(program, virtual_world::virtual_run("random", 0, 1, 1, 2, 100)).outcome,
            OutcomeKind::kRefused);
}

}  // namespace
}  // namespace snarl
