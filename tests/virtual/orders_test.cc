// Partial orders: two schedules have the same hash if, and only if, they differ in nothing but the order of steps that
// do not conflict. What conflicts is written down here once more, as a relation between two steps, and what happened
// before what is worked out from it by comparing each step with all before: nothing is shared with what is tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/virtual/every_schedule.h"
#include "tests/virtual/named_schedule.h"
#include "tests/virtual/reference.h"
#include "tests/virtual/script_player.h"

namespace snarl {
namespace {

using Did = Reference::Did;

Run ordered_run() {
  Run run;
  run.settings.orders = true;
  return run;
}

enum class Touch { kNot, kReads, kWrites };

bool is_any(OpKind kind, std::initializer_list<OpKind> kinds) { return std::ranges::find(kinds, kind) != kinds.end(); }

// What the step does to the object of that number.
Touch touch(const Did& step, int object) {
  const bool second = is_any(step.kind, {OpKind::kWait, OpKind::kReacquire}) && step.second == object;
  if (second) return Touch::kWrites;
  if (step.object != object) return Touch::kNot;
  switch (step.kind) {
    case OpKind::kRead:
    case OpKind::kAtomicLoad:
    case OpKind::kReadLock:
    case OpKind::kTryReadLock:
    case OpKind::kBarrierPass: return Touch::kReads;
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock: return step.result == 0 ? Touch::kWrites : Touch::kReads;
    case OpKind::kRwUnlock: return step.was_owner ? Touch::kWrites : Touch::kReads;
    case OpKind::kStart:
    case OpKind::kExit:
    case OpKind::kCreate:
    case OpKind::kJoin:
    case OpKind::kTryJoin:
    case OpKind::kDetach:
    case OpKind::kCancel:
    case OpKind::kKill:
    case OpKind::kHandler:
    case OpKind::kTestCancel:
    case OpKind::kYield:
    case OpKind::kPause:
    case OpKind::kSleep:
    case OpKind::kAfter:
    case OpKind::kTimeout:
    case OpKind::kFence:
    case OpKind::kFunction:
    case OpKind::kUser:
    case OpKind::kConsistent:
    case OpKind::kIo:
    case OpKind::kFork: return Touch::kNot;
    default: return Touch::kWrites;
  }
}

bool clash(const Did& a, const Did& b, int object) {
  const Touch x = touch(a, object), y = touch(b, object);
  return x != Touch::kNot && y != Touch::kNot && (x == Touch::kWrites || y == Touch::kWrites);
}

bool goes_outside(const Did& step) { return is_any(step.kind, {OpKind::kIo, OpKind::kFork}); }

bool sends(const Did& step) { return is_any(step.kind, {OpKind::kCancel, OpKind::kKill}); }

// Is `a` about the thread of `b`, so that their order matters?
bool concerns(const Did& a, const Did& b) {
  if (static_cast<size_t>(a.object) != b.thread) return false;
  if (is_any(a.kind, {OpKind::kJoin, OpKind::kTryJoin})) return b.kind == OpKind::kExit;
  return a.kind == OpKind::kCreate || sends(a);
}

bool conflict(const Did& a, const Did& b) {
  if (a.kind == OpKind::kTimeout || b.kind == OpKind::kTimeout || a.thread == b.thread) return true;
  if (concerns(a, b) || concerns(b, a) || (goes_outside(a) && goes_outside(b))) return true;
  if (sends(a) && sends(b) && a.object == b.object) return true;
  return clash(a, b, a.object) || clash(a, b, a.second);
}

// For each step, by thread and number, how many steps of each thread came before it. Timers are threads of their own.
std::string order_of(const std::vector<Did>& steps) {
  constexpr size_t kWho = 8;
  std::vector<std::array<int, kWho>> before(steps.size());
  std::array<int, kWho> count{};
  std::set<std::string> lines;
  for (size_t i = 0; i < steps.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (conflict(steps[j], steps[i]))
        std::ranges::transform(before[i], before[j], before[i].begin(), [](int a, int b) { return std::max(a, b); });
    const size_t who = steps[i].thread + (steps[i].kind == OpKind::kTimeout ? kWho / 2 : 0);
    before[i][who] = ++count[who];
    std::string line = std::to_string(who) + name_of(steps[i].kind) + std::to_string(steps[i].object);
    for (const int number : before[i]) line += " " + std::to_string(number);
    lines.insert(line);
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string text_of(const std::vector<uint32_t>& schedule) {
  std::string text;
  for (const uint32_t mover : schedule)
    text += " " + std::to_string(mover & ~kTimerBit) + ((mover >> 31) != 0 ? "t" : "");
  return text;
}

// Of each order one schedule and its hash; of each hash its order.
struct Orders {
  std::map<std::string, std::pair<uint64_t, std::string>> by_order;
  std::map<uint64_t, std::string> by_hash;
};

void compare(const virtual_world::VirtualProgram& program, const std::vector<uint32_t>& schedule, const Reference& end,
             Orders& orders) {
  NamedSchedule policy(schedule);
  const uint64_t hash = virtual_world::run_virtual(program, policy, ordered_run()).order;
  ASSERT_TRUE(policy.is_followed);
  ASSERT_NE(hash, 0u);
  const std::string order = order_of(end.did());
  const auto& [first, schedule_of_first] = orders.by_order.try_emplace(order, hash, text_of(schedule)).first->second;
  ASSERT_EQ(hash, first) << "one order:\n" << order << schedule_of_first << "\n" << text_of(schedule);
  const std::string& other = orders.by_hash.try_emplace(hash, order).first->second;
  ASSERT_EQ(order, other) << "one hash";
}

constexpr int kPrograms = 200;
constexpr long kMostSchedules = 2000;

// All schedules of a program are all linearisations of all its orders.
TEST(Orders, SchedulesHaveTheSameHashIfTheyDifferInNothingThatConflicts) {
  uint64_t seed = 1;
  size_t schedules = 0, distinct = 0, with_timers = 0;
  for (int i = 0; i < kPrograms && !HasFatalFailure(); ++i) {
    const Script script = fitting_script(seed, 0, kMostSchedules);
    const virtual_world::VirtualProgram program = play(script);
    SCOPED_TRACE(seed - 1);
    Orders orders;
    for_every_reference_schedule(script, kMostSchedules, [&](const auto& schedule, const Reference& end) {
      if (HasFatalFailure()) return;
      ++schedules;
      with_timers += std::ranges::any_of(schedule, [](uint32_t mover) { return (mover & kTimerBit) != 0; });
      compare(program, schedule, end, orders);
    });
    distinct += orders.by_order.size();
  }
  EXPECT_GT(schedules, 20'000u);
  EXPECT_GT(distinct, 500u);
  EXPECT_GT(schedules, 5 * distinct);
  EXPECT_GT(with_timers, 300u);
  RecordProperty("schedules", std::to_string(schedules));
  RecordProperty("distinct", std::to_string(distinct));
}

// Main creates the others, does what is its own and joins them.
Script script_of(std::vector<Line> own, std::vector<std::vector<Line>> others) {
  Script script;
  script.threads.resize(1);
  for (std::vector<Line>& lines : others) {
    const int number = static_cast<int>(script.threads.size());
    script.threads[0].push_back({.kind = OpKind::kCreate, .object = number});
    script.threads.push_back(std::move(lines));
  }
  script.threads[0].insert(script.threads[0].end(), own.begin(), own.end());
  for (size_t i = 1; i < script.threads.size(); ++i)
    script.threads[0].push_back({.kind = OpKind::kJoin, .object = static_cast<int>(i)});
  return script;
}

// What random programs seldom have: three threads at one object, two that signal one thread, two deadlines at once.
TEST(Orders, SoDoThoseOfKnownPrograms) {
  const Line takes{.kind = OpKind::kLock}, gives{.kind = OpKind::kUnlock}, tries{.kind = OpKind::kTryLock};
  const Line reads{.kind = OpKind::kReadLock, .object = 20},
      tries_to_write{.kind = OpKind::kTryWriteLock, .object = 20};
  const Line kills{.kind = OpKind::kKill, .object = 0}, cancels{.kind = OpKind::kCancel, .object = 0};
  const Line meets{.kind = OpKind::kBarrierWait, .object = 40, .second = 3};
  const Line posts{.kind = OpKind::kSemPost, .object = 30};
  const Line waits{.kind = OpKind::kSemWait, .object = 30, .timed = true, .span = 10};
  const Line asks{.kind = OpKind::kTryJoin, .object = 1, .repeats = Line::Repeats::kUntilOk, .times = 3};
  const Line yields{.kind = OpKind::kYield, .object = Line::kNothing};
  const Script scripts[] = {
      script_of({meets}, {{meets}, {meets}}),          script_of({takes, yields, gives}, {{tries}, {tries}}),
      script_of({reads}, {{tries_to_write}, {reads}}), script_of({yields}, {{kills}, {kills}}),
      script_of({yields}, {{kills}, {cancels}}),       script_of({}, {{waits}, {waits}}),
      script_of({posts}, {{waits}, {waits}}),          script_of({asks}, {{yields, yields}}),
      script_of({takes, gives}, {{tries, yields}})};
  for (const Script& script : scripts) {
    const virtual_world::VirtualProgram program = play(script);
    Orders orders;
    const long schedules =
        for_every_reference_schedule(script, 200'000, [&](const auto& schedule, const Reference& end) {
          if (!HasFatalFailure()) compare(program, schedule, end, orders);
        });
    SCOPED_TRACE(&script - scripts);
    EXPECT_LE(schedules, 200'000);
    EXPECT_GT(orders.by_order.size(), 1u);
    EXPECT_GT(schedules, 2 * static_cast<long>(orders.by_order.size()));
  }
}

virtual_world::VirtualProgram locks(int times) {
  return [times](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < times; ++i) {
      co_await w.lock(0);
      co_await w.unlock(0);
    }
  };
}

virtual_world::VirtualProgram two_threads(const virtual_world::VirtualProgram& body) {
  return [body](virtual_world::World& w) -> virtual_world::Task {
    const int a = co_await w.create(body);
    const int b = co_await w.create(body);
    co_await w.join(a);
    co_await w.join(b);
  };
}

struct Counted {
  long schedules = 0;
  std::set<uint64_t> orders;
};

Counted every_order(const virtual_world::VirtualProgram& program, bool reduce) {
  EverySchedule policy(reduce);
  Counted counted;
  do {
    counted.orders.insert(virtual_world::run_virtual(program, policy, ordered_run()).order);
    ++counted.schedules;
  } while (policy.next());
  return counted;
}

// The orders of 2 t critical sections: as many as there are ways to choose whose each is.
TEST(Orders, TwoThreadsWithFourLocksEachHaveSeventy) {
  const Counted four = every_order(two_threads(locks(4)), true);
  EXPECT_EQ(four.orders.size(), 70u);
  EXPECT_GE(four.schedules, 70);
  const Counted two = every_order(
      [](virtual_world::World& w) -> virtual_world::Task {
        const virtual_world::VirtualProgram other = locks(2);
        const int t = co_await w.create(other);
        for (int i = 0; i < 2; ++i) {
          co_await w.lock(0);
          co_await w.unlock(0);
        }
        co_await w.join(t);
      },
      false);
  EXPECT_EQ(two.orders.size(), 6u);
  EXPECT_GT(two.schedules, 500) << "points that do nothing come in any order";
}

TEST(Orders, ThreadsThatShareNothingHaveOne) {
  const virtual_world::VirtualProgram body = [](virtual_world::World& w) -> virtual_world::Task {
    const int own = w.self();
    co_await w.lock(own);
    co_await w.unlock(own);
  };
  const Counted counted = every_order(two_threads(body), true);
  EXPECT_EQ(counted.orders.size(), 1u);
  EXPECT_GT(counted.schedules, 10);
}

// Where the clock is read is no step, but what it says depends on who read it before.
TEST(Orders, ReadingsOfTheClockAreOrdered) {
  const virtual_world::VirtualProgram body = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.event();
    w.clock();
    co_await w.event();
  };
  const Counted counted = every_order(two_threads(body), false);
  EXPECT_EQ(counted.orders.size(), 2u);
  EXPECT_GT(counted.schedules, 1000);
}

// Readers come in any order; each of them before or after the writer, who finds all, one or none of them gone.
TEST(Orders, ReadersAreNotOrderedAmongEachOther) {
  const auto reader = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.read_lock(20);
    co_await w.rw_unlock(20);
  };
  EXPECT_EQ(every_order(two_threads(reader), true).orders.size(), 1u);
  const virtual_world::VirtualProgram program = [reader](virtual_world::World& w) -> virtual_world::Task {
    const virtual_world::VirtualProgram body = reader;
    co_await w.create(body);
    co_await w.create(body);
    co_await w.write_lock(20);
    co_await w.rw_unlock(20);
  };
  EXPECT_EQ(every_order(program, true).orders.size(), 4u);
}

}  // namespace
}  // namespace snarl
