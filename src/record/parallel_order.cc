#include "record/parallel_order.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/ids.h"

namespace snarl::record {
namespace {

// Of each event, the same thread's next one; after the last, what was pending.
std::vector<const Event*> next_ones(std::span<const Event> events, std::span<const Event> pending) {
  std::vector<const Event*> later, next(events.size());
  for (const Event& event : pending) later.push_back(&event);
  for (size_t i = events.size(); i-- > 0;) next[i] = std::exchange(later[events[i].thread], &events[i]);
  return next;
}

// What the conductor would do, given who takes each step.
class Serial {
 public:
  explicit Serial(size_t threads) : taken_(threads) {}

  // `arrives_at`: what its thread does next.
  void step(const Event& event, const Event& arrives_at) {
    const uint32_t thread = event.thread;
    if (event.late) fire_timer(thread);
    if (last_ != thread) go_to(thread);
    ++taken_[thread];
    at_ = &arrives_at;
    if (live_ >= 2) ++steps_;
    if (event.kind == OpKind::kCreate) ++live_;
    if (event.kind == OpKind::kExit) --live_, at_ = nullptr;
  }

  std::vector<Decision> decisions;

 private:
  // A timer's step: nobody is at a point after it.
  void fire_timer(uint32_t thread) {
    go_to(thread | kTimerBit);
    at_ = nullptr;
    ++steps_;
  }

  void go_to(uint32_t ordinal) {
    if (live_ >= 2) decisions.push_back(switch_to(ordinal));
    last_ = ordinal;
  }

  Decision switch_to(uint32_t ordinal) const {
    Decision d;
    d.step = steps_;
    d.from = last_;
    d.to = ordinal;
    d.kind = at_ == nullptr ? OpKind::kExit : at_->kind;
    d.pc = at_ == nullptr ? 0 : at_->pc;
    d.nth = at_ == nullptr ? 0 : taken_[last_];
    d.reason = at_ == nullptr ? Reason::kEnded : Reason::kPreempted;
    return d;
  }

  std::vector<uint64_t> taken_;  // by ordinal
  uint32_t last_ = 0;            // ordinal
  const Event* at_ = nullptr;    // what it has arrived at; null: it has ended
  int live_ = 1;
  Step steps_ = 0;
};

}  // namespace

void sort_by_time(std::vector<Event>& events) {
  std::ranges::stable_sort(events, [](const Event& a, const Event& b) {
    return std::tuple(a.step, uint32_t{a.thread}) < std::tuple(b.step, uint32_t{b.thread});
  });
}

std::vector<Decision> serial_order(std::span<const Event> events, std::span<const Event> pending) {
  if (pending.empty()) return {};
  const std::vector<const Event*> next = next_ones(events, pending);
  Serial serial(pending.size());
  for (size_t i = 0; i < events.size(); ++i) serial.step(events[i], *next[i]);
  return std::move(serial.decisions);
}

}  // namespace snarl::record
