// For tests of the model: operations on small numbers, published and performed at once.
#pragma once

#include <memory>

#include "model/model.h"

namespace snarl::model {

class ModelDriver {
 public:
  ModelDriver() { model->begin(); }

  // Publishes the operation. Is it enabled?
  bool arrive(ThreadId t, OpKind kind, uint64_t object = 0, MutexKind mutex = MutexKind::kNormal, uint64_t second = 0) {
    return model->publish(t, Op{.kind = kind, .mutex = mutex, .object = object, .second = second, .pc = object}) &&
           model->enabled().has(t);
  }
  // Publishes the operation and performs it if it is enabled. Returns its result, or kBlocks.
  int go(ThreadId t, OpKind kind, uint64_t object = 0, MutexKind mutex = MutexKind::kNormal, uint64_t second = 0) {
    return arrive(t, kind, object, mutex, second) ? model->perform(t) : kBlocks;
  }
  // The same for any operation. One that would block times out, and one whose deadline is past returns that.
  int go_or_time_out(ThreadId t, Op op) {
    op.timed = true;
    model->publish(t, op);
    if (!is_enabled(t)) model->perform(timer_of(t));
    return model->perform(t);
  }
  bool arrive_on(ThreadId t, OpKind kind, ThreadId other) {
    return model->publish(t, Op{.kind = kind, .thread = other}) && model->enabled().has(t);
  }
  int step(ThreadId t, OpKind kind, ThreadId other) { return arrive_on(t, kind, other) ? model->perform(t) : kBlocks; }

  ThreadId start(ThreadId parent = kMainThread, bool detached = false) {
    const ThreadId t = model->spawn(parent, detached, 0);
    if (t != kNoThread) model->perform(t);
    return t;
  }
  void exit(ThreadId t) { go(t, OpKind::kExit); }
  bool is_enabled(ThreadId t) const { return model->enabled().has(t); }

  static constexpr int kBlocks = -100;
  std::unique_ptr<Model> model = std::make_unique<Model>();
};

}  // namespace snarl::model
