// A detector with memory of its own, for tests.
#pragma once

#include <memory>
#include <vector>

#include "detect/detector.h"

namespace snarl::detect {

struct TestDetector {
  std::vector<Time> clocks = std::vector<Time>(1 << 14);
  std::vector<Cell> cells = std::vector<Cell>(1 << 8);
  std::vector<Sync> syncs = std::vector<Sync>(1 << 8);
  std::unique_ptr<Detector> detector = std::make_unique<Detector>(Memory{clocks, cells, syncs});

  uint64_t pc = 0;         // of the next access
  std::vector<Race> told;  // by the last access

  Detector* operator->() const { return detector.get(); }

  // How many races it makes.
  int access(ThreadId thread, uint64_t address, uint64_t size, bool write, bool atomic = false) {
    told.clear();
    detector->access(
        thread, {address, size, pc, write, atomic}, [&](const Race& race) { return told.push_back(race), true; },
        [](const Record&) {});
    return static_cast<int>(told.size());
  }
  int write(ThreadId thread, uint64_t address = 64, uint64_t size = 8) { return access(thread, address, size, true); }
  int read(ThreadId thread, uint64_t address = 64, uint64_t size = 8) { return access(thread, address, size, false); }

  void call(ThreadId thread, OpKind kind, uint64_t object = 0, int result = 0) {
    detector->performed(thread, Op{.kind = kind, .object = object}, result);
  }
  void join(ThreadId thread, ThreadId joined) {
    Op op{.kind = OpKind::kJoin};
    op.thread = joined;
    detector->performed(thread, op, 0);
  }
};

}  // namespace snarl::detect
