#include "tests/virtual/mini_programs.h"

#include <cerrno>

namespace snarl {
namespace {

// Runs `bodies` as threads and joins them all.
virtual_world::Task start_all(virtual_world::World& w, std::vector<virtual_world::VirtualProgram> bodies) {
  std::vector<int> threads;
  for (virtual_world::VirtualProgram& body : bodies) threads.push_back(co_await w.create(body));
  for (int t : threads) co_await w.join(t);
}

virtual_world::VirtualProgram all_of(std::vector<virtual_world::VirtualProgram> bodies) {
  return [bodies](virtual_world::World& w) { return start_all(w, bodies); };
}

virtual_world::VirtualProgram lock_two(int a, int b) {
  return [a, b](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(a);
    co_await w.lock(b);
    co_await w.unlock(b);
    co_await w.unlock(a);
  };
}

virtual_world::Task add_in_two_halves(virtual_world::World& w) {
  co_await w.lock(0);
  const int old = w.value[0];
  co_await w.unlock(0);
  co_await w.lock(0);
  w.value[0] = old + 1;
  co_await w.unlock(0);
}

virtual_world::Task add(virtual_world::World& w) {
  co_await w.lock(0);
  ++w.value[0];
  co_await w.unlock(0);
}

virtual_world::VirtualProgram counted(virtual_world::VirtualProgram adder, int times) {
  return [adder, times](virtual_world::World& w) -> virtual_world::Task {
    std::vector<int> threads;
    for (int i = 0; i < times; ++i) threads.push_back(co_await w.create(adder));
    for (int t : threads) co_await w.join(t);
    w.expect(w.value[0] == times, "an update is lost");
  };
}

// value[0]: items. Mutex 0, condition variable 1.
virtual_world::VirtualProgram take_item(bool under_if) {
  return [under_if](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    if (under_if) {
      if (w.value[0] == 0) co_await w.wait(1, 0);
    } else {
      while (w.value[0] == 0) co_await w.wait(1, 0);
    }
    w.expect(w.value[0] > 0, "took an item that is not there");
    --w.value[0];
    co_await w.unlock(0);
  };
}

virtual_world::VirtualProgram put_items(int count, bool broadcast) {
  return [count, broadcast](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < count; ++i) {
      co_await w.lock(0);
      ++w.value[0];
      if (broadcast)
        co_await w.broadcast(1);
      else
        co_await w.signal(1);
      co_await w.unlock(0);
    }
  };
}

virtual_world::Task wait_for_flag_checked_outside(virtual_world::World& w) {
  co_await w.event();
  if (w.value[0] == 0) {
    co_await w.lock(0);
    co_await w.wait(1, 0);
    co_await w.unlock(0);
  }
}

virtual_world::Task wait_always(virtual_world::World& w) {
  co_await w.lock(0);
  co_await w.wait(1, 0);
  co_await w.unlock(0);
}

virtual_world::Task set_flag_and_signal(virtual_world::World& w) {
  co_await w.lock(0);
  w.value[0] = 1;
  co_await w.unlock(0);
  co_await w.signal(1);
}

virtual_world::Task use_before_init(virtual_world::World& w) {
  co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
    co_await v.event();
    v.expect(v.value[0] == 1, "used before it is initialised");
  });
  w.value[0] = 1;
}

virtual_world::Task free_before_use(virtual_world::World& w) {
  w.value[0] = 1;
  co_await w.create([](virtual_world::World& v) -> virtual_world::Task {
    co_await v.event();
    co_await v.event();
    v.expect(v.value[0] == 1, "used after it was freed");
  });
  co_await w.event();
  w.value[0] = 0;
}

virtual_world::Task lock_twice(virtual_world::World& w) {
  co_await w.create(add);
  co_await w.lock(0);
  co_await w.lock(0);
}

virtual_world::Task end_with_lock(virtual_world::World& w) {
  const int t = co_await w.create([](virtual_world::World& v) -> virtual_world::Task { co_await v.lock(0); });
  co_await w.join(t);
  co_await w.lock(0);
}

// Two workers of a pool that wait on one condition variable for jobs or the end; the end signals one only.
virtual_world::VirtualProgram pool(bool end_wakes_all) {
  const auto worker = [](virtual_world::World& w) -> virtual_world::Task {
    co_await w.lock(0);
    while (w.value[0] == 0 && w.value[1] == 0) co_await w.wait(1, 0);
    if (w.value[0] > 0) --w.value[0];
    co_await w.unlock(0);
  };
  return [=](virtual_world::World& w) -> virtual_world::Task {
    const int a = co_await w.create(worker);
    const int b = co_await w.create(worker);
    co_await w.lock(0);
    w.value[1] = 1;
    if (end_wakes_all)
      co_await w.broadcast(1);
    else
      co_await w.signal(1);
    co_await w.unlock(0);
    co_await w.join(a);
    co_await w.join(b);
  };
}

virtual_world::Task check_then_act(virtual_world::World& w) {
  const auto once = [](virtual_world::World& v) -> virtual_world::Task {
    co_await v.event();
    if (v.value[0] != 0) co_return;
    co_await v.event();
    v.expect(++v.value[0] == 1, "done twice");
  };
  const int a = co_await w.create(once);
  const int b = co_await w.create(once);
  co_await w.join(a);
  co_await w.join(b);
}

virtual_world::VirtualProgram lock_rank(MutexKind kind) {
  return [kind](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < 2; ++i)
      w.expect(co_await w.lock(0, kind) == (i == 0 || kind == MutexKind::kRecursive ? 0 : EDEADLK), "lock");
    for (int i = 0; i < 2; ++i)
      w.expect(co_await w.unlock(0, kind) == (i == 0 || kind == MutexKind::kRecursive ? 0 : EPERM), "unlock");
  };
}

virtual_world::VirtualProgram spin_until(int flag, int then) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    while (w.value[static_cast<size_t>(flag)] == 0) co_await w.yield();
    w.value[static_cast<size_t>(then)] = 1;
  };
}

// Looks at the flag under a lock, as a polite spinner does.
virtual_world::VirtualProgram spin_with_lock(int flag, int then) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    for (bool set = false; !set;) {
      co_await w.lock(0);
      set = w.value[static_cast<size_t>(flag)] != 0;
      co_await w.unlock(0);
      co_await w.yield();
    }
    co_await w.lock(0);
    w.value[static_cast<size_t>(then)] = 1;
    co_await w.unlock(0);
  };
}

virtual_world::VirtualProgram set_after_yields(int flag, int yields) {
  return [=](virtual_world::World& w) -> virtual_world::Task {
    for (int i = 0; i < yields; ++i) co_await w.yield();
    for (int i = 0; i < 3; ++i) co_await w.event();
    w.value[static_cast<size_t>(flag)] = 1;
  };
}

}  // namespace

std::vector<MiniProgram> wrong_programs() {
  using enum OutcomeKind;
  return {
      {"lock inversion of 2", all_of({lock_two(0, 1), lock_two(1, 0)}), kDeadlock, 2, 3, 30},
      {"lock inversion of 3", all_of({lock_two(0, 1), lock_two(1, 2), lock_two(2, 0)}), kDeadlock, 3, 4, 40},
      {"lost update", counted(add_in_two_halves, 2), kAssert, 2, 3, 30},
      {"wait under if", all_of({take_item(true), take_item(true), put_items(2, true)}), kAssert, 2, 4, 50},
      {"missed signal", all_of({wait_for_flag_checked_outside, set_flag_and_signal}), kDeadlock, 2, 3, 30},
      {"signal before wait", all_of({wait_always, set_flag_and_signal}), kDeadlock, 1, 3, 30},
      {"use before init", use_before_init, kAssert, 1, 2, 12},
      {"free before use", free_before_use, kAssert, 2, 2, 12},
      {"self-deadlock", lock_twice, kDeadlock, 1, 2, 12},
      {"ended with a lock", end_with_lock, kDeadlock, 1, 2, 12},
      {"one signal for two", pool(false), kDeadlock, 1, 3, 40},
      {"check then act", check_then_act, kAssert, 2, 3, 20},
  };
}

std::vector<MiniProgram> correct_programs() {
  using enum OutcomeKind;
  return {
      {"locks in order", all_of({lock_two(0, 1), lock_two(0, 1), lock_two(1, 2)}), kOk, 3, 4, 50},
      {"counter", counted(add, 3), kOk, 3, 4, 40},
      {"wait under while", all_of({take_item(false), take_item(false), put_items(2, false)}), kOk, 3, 4, 60},
      {"wait under while, broadcast", all_of({take_item(false), take_item(false), put_items(2, true)}), kOk, 3, 4, 60},
      {"one consumer under if", all_of({take_item(true), put_items(1, false)}), kOk, 3, 3, 40},
      {"pool", pool(true), kOk, 3, 3, 40},
      {"recursive", all_of({lock_rank(MutexKind::kRecursive), lock_rank(MutexKind::kRecursive)}), kOk, 3, 3, 40},
      {"errorcheck", all_of({lock_rank(MutexKind::kErrorCheck), lock_rank(MutexKind::kErrorCheck)}), kOk, 3, 3, 40},
  };
}

std::vector<MiniProgram> spinning_programs() {
  using enum OutcomeKind;
  return {
      {"one spinner", all_of({spin_until(0, 1), set_after_yields(0, 0)}), kOk, 3, 3, 100},
      {"two spinners", all_of({spin_until(0, 1), spin_until(0, 2), set_after_yields(0, 0)}), kOk, 3, 4, 100},
      {"a chain of three", all_of({spin_until(1, 2), spin_until(2, 3), spin_until(0, 1), set_after_yields(0, 0)}), kOk,
       3, 5, 100},
      {"the awaited one yields", all_of({spin_until(0, 1), set_after_yields(0, 3)}), kOk, 3, 3, 100},
      {"three spinners, the awaited one yields",
       all_of({spin_until(0, 1), spin_until(0, 2), spin_until(0, 3), set_after_yields(0, 5)}), kOk, 3, 5, 100},
      {"one spinner with a lock", all_of({spin_with_lock(0, 1), set_after_yields(0, 0)}), kOk, 3, 3, 100},
      {"two spinners with a lock", all_of({spin_with_lock(0, 1), spin_with_lock(0, 2), set_after_yields(0, 0)}), kOk, 3,
       4, 100},
      {"a chain of spinners with a lock", all_of({spin_with_lock(1, 2), spin_with_lock(0, 1), set_after_yields(0, 2)}),
       kOk, 3, 4, 100},
      {"main spins",
       [](virtual_world::World& w) -> virtual_world::Task {
         co_await w.create(set_after_yields(0, 2));
         co_await w.create(spin_with_lock(0, 1));
         while (w.value[1] == 0) co_await w.yield();
       },
       kOk, 3, 3, 100},
  };
}

}  // namespace snarl
