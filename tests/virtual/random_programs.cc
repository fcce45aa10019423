#include "tests/virtual/random_programs.h"

#include <utility>
#include <vector>

#include "base/rng.h"

namespace snarl {
namespace {

enum Deed : uint64_t {
  kLocks,
  kTries,
  kLocksInTime,
  kEvents,
  kYields,
  kWaits,
  kSignals,
  kBroadcasts,
  kReads,
  kWrites,
  kSleeps,
  kLooksAtClock,
  kDeeds
};

struct Todo {
  Deed deed;
  int object;
  int length;  // events under the lock, or in a row
};

// Conditions are objects 3 and 4, read-write locks 5 and 6, mutexes 0 to 2. In one coroutine: a virtual thread
// awaits points, no other task.
virtual_world::Task follow_list(virtual_world::World& w, std::vector<Todo> list) {
  for (const Todo todo : list) {
    const int m = todo.object;
    bool has = true;
    switch (todo.deed) {
      case kLocks: co_await w.lock(m); break;
      case kTries: has = co_await w.trylock(m) == 0; break;
      case kLocksInTime: has = co_await w.lock_for(m, 50) == 0; break;
      case kEvents:
        for (int i = 0; i < 3 * todo.length; ++i) co_await w.event(i);
        continue;
      case kYields: co_await w.yield(); continue;
      case kWaits:
        co_await w.lock(m);
        w.note(co_await w.wait_for(3 + m % 2, m, 30));
        break;
      case kSignals: co_await w.signal(3 + m % 2); continue;
      case kBroadcasts: co_await w.broadcast(3 + m % 2); continue;
      case kReads:
      case kWrites:
        co_await (todo.deed == kReads ? w.read_lock(5 + m % 2) : w.write_lock(5 + m % 2));
        for (int i = 0; i < todo.length; ++i) co_await w.event(i);
        co_await w.rw_unlock(5 + m % 2);
        continue;
      case kSleeps: co_await w.sleep(static_cast<uint64_t>(todo.length) * 20); continue;
      case kLooksAtClock: w.note(static_cast<int>(w.clock() / 1000)); continue;
      case kDeeds: continue;
    }
    w.note(m + (has ? 100 : 0));
    for (int i = 0; i < todo.length; ++i) co_await w.event(i);
    if (has) co_await w.unlock(m);
  }
}

std::vector<Todo> random_list(Rng& rng) {
  std::vector<Todo> list(rng.below(8));
  for (Todo& todo : list)
    todo = {static_cast<Deed>(rng.below(kDeeds)), static_cast<int>(rng.below(3)), static_cast<int>(rng.below(5))};
  return list;
}

}  // namespace

virtual_world::VirtualProgram random_program(uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<Todo>> lists(1 + rng.below(3));
  for (std::vector<Todo>& list : lists) list = random_list(rng);
  return [lists, own = random_list(rng)](virtual_world::World& w) -> virtual_world::Task {
    std::vector<int> threads;
    for (const std::vector<Todo>& list : lists) {
      const virtual_world::VirtualProgram body = [list](virtual_world::World& inner) {
        return follow_list(inner, list);
      };
      threads.push_back(co_await w.create(body));
    }
    for (const Todo todo : own) {
      for (int i = 0; i < todo.length; ++i) co_await w.event(i);
      co_await w.lock(todo.object);
      co_await w.unlock(todo.object);
    }
    for (const int t : threads) co_await w.join(t);
    for (int i = 0; i < 5; ++i) co_await w.event(i);
  };
}

}  // namespace snarl
