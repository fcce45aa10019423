// A run without a program, for tests of the runtime's parts: a wire of its own, a conductor, and two threads.
#pragma once

#include <sys/mman.h>

#include <new>
#include <vector>

#include "policy/pct.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"
#include "runtime/state/turn.h"

namespace snarl::runtime {

class TestRun {
 public:
  explicit TestRun(uint64_t seed = 1, Step planned_steps = 1000) : memory_(1 << 20), room_(1024) {
    engine::shared = static_cast<wire::Layout*>(mapped(sizeof(wire::Layout)));  // zeros, as the explorer makes it
    under_way = UnderWay{};
    under_way.arrivals = &arrivals_;
    run_.key.seed = seed;
    run_.key.policy.values[0] = 3;  // depth
    run_.key.profile = {.threads = 2, .epoch = 0, .steps = planned_steps};
    Arena arena(memory_.data(), memory_.size());
    new (engine::conductor_memory) conduct::Conductor;
    engine::conductor().begin(run_, policy_, arena, log_, steps_, 0);
    main_ = &make_thread(kMainThread, 0);
    other_ = &make_thread(engine::conductor().spawn(kMainThread, false, 0), 1);
    turn::begin();
  }
  ~TestRun() {
    munmap(engine::shared, sizeof(wire::Layout));
    engine::shared = nullptr;
    under_way = UnderWay{};
  }
  TestRun(const TestRun&) = delete;
  TestRun& operator=(const TestRun&) = delete;

  Thread& main() { return *main_; }    // has the turn
  Thread& other() { return *other_; }  // has not started
  model::Model& model() { return engine::conductor().model(); }

 private:
  static void* mapped(size_t size) {
    return mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }

  std::vector<char> memory_;
  std::vector<Decision> room_;
  uint32_t logged_ = 0;
  uint64_t switches_ = 0, hash_ = 0, arrivals_ = 0;
  Step steps_ = 0;
  Run run_;
  policy::Pct policy_;
  DecisionLog log_{room_, logged_, switches_, hash_};
  Thread *main_ = nullptr, *other_ = nullptr;
};

}  // namespace snarl::runtime
