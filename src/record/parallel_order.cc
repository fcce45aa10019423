#include "record/parallel_order.h"

#include <algorithm>

namespace snarl::record {
namespace {

struct At {
  uint64_t when;
  uint32_t thread;  // index
  uint32_t nth;
};

std::vector<At> by_time(std::span<const ParallelThread> threads) {
  std::vector<At> order;
  for (uint32_t t = 0; t < threads.size(); ++t)
    for (uint32_t i = 0; i < threads[t].steps.size(); ++i) order.push_back({threads[t].steps[i].when, t, i});
  std::stable_sort(order.begin(), order.end(), [](const At& a, const At& b) { return a.when < b.when; });
  return order;
}

// What the conductor would do, given who takes each step.
class Serial {
 public:
  explicit Serial(std::span<const ParallelThread> threads) : threads_(threads), taken_(threads.size()) {}

  void step(uint32_t t, const ParallelStep& step) {
    if (step.late) fire_timer(t);
    if (last_ != threads_[t].ordinal) go_to(threads_[t].ordinal);
    last_thread_ = t;
    ++taken_[t];
    if (live_ >= 2) ++steps_;
    if (step.kind == OpKind::kCreate) ++live_;
    if (step.kind == OpKind::kExit) --live_, last_thread_ = kNobody;
  }

  std::vector<Decision> decisions;

 private:
  static constexpr uint32_t kNobody = ~uint32_t{0};

  // A timer's step: nobody is at a point after it.
  void fire_timer(uint32_t t) {
    go_to(threads_[t].ordinal | kTimerBit);
    last_thread_ = kNobody;
    ++steps_;
  }

  void go_to(uint32_t ordinal) {
    if (live_ >= 2) {
      Decision d;
      const ParallelStep& pending = pending_of_last();
      d.step = steps_;
      d.from = last_;
      d.to = ordinal;
      d.kind = pending.kind;
      d.pc = pending.pc;
      d.nth = last_thread_ == kNobody ? 0 : taken_[last_thread_];
      d.reason = last_thread_ == kNobody ? Reason::kEnded : Reason::kPreempted;
      decisions.push_back(d);
    }
    last_ = ordinal;
  }

  const ParallelStep& pending_of_last() const {
    static const ParallelStep kEnded{0, 0, OpKind::kExit, false};
    if (last_thread_ == kNobody) return kEnded;
    const ParallelThread& thread = threads_[last_thread_];
    return taken_[last_thread_] < thread.steps.size() ? thread.steps[taken_[last_thread_]] : thread.pending;
  }

  std::span<const ParallelThread> threads_;
  std::vector<uint64_t> taken_;
  uint32_t last_ = 0;         // ordinal
  uint32_t last_thread_ = 0;  // its index; kNobody: it has ended
  int live_ = 1;
  Step steps_ = 0;
};

}  // namespace

std::vector<Decision> serial_order(std::span<const ParallelThread> threads) {
  Serial serial(threads);
  if (threads.empty()) return {};
  for (const At& at : by_time(threads)) serial.step(at.thread, threads[at.thread].steps[at.nth]);
  return std::move(serial.decisions);
}

}  // namespace snarl::record
