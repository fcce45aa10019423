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

  Detector* operator->() const { return detector.get(); }

  // How many races it makes.
  int access(ThreadId thread, uint64_t address, uint64_t size, bool write, bool atomic = false) {
    int races = 0;
    detector->access(thread, {address, size, 0, write, atomic}, [&](const Race&) { return ++races, true; });
    return races;
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
