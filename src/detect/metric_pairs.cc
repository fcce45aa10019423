#include "detect/metric_pairs.h"

#include <algorithm>

namespace snarl::detect {
namespace {

constexpr size_t kClockWords = 1 << 20, kSyncs = 1 << 16;

Op operation_of(const Event& event) {
  Op op{.kind = event.kind, .after = event.after, .order = event.order};
  op.object = event.object;
  op.second = second_of(event);
  op.thread = static_cast<ThreadId>(other_of(event));
  op.pc = event.pc;
  return op;
}

bool is_atomic(OpKind kind) { return is_memory_access(kind) && kind != OpKind::kRead && kind != OpKind::kWrite; }

}  // namespace

// The detector's own shadow is not used.
MetricPairs::MetricPairs()
    : clocks_(kClockWords), cells_(1), syncs_(kSyncs), detector_(Memory{clocks_, cells_, syncs_}) {}

void MetricPairs::add(const Event& event) {
  if (event.thread >= kMaxThreads || (event.kind == OpKind::kCreate && other_of(event) >= kMaxThreads)) {
    cut_ = true;
    return;
  }
  if (is_memory_access(event.kind))
    add_access(event);
  else
    order(event);
}

void MetricPairs::order(const Event& event) {
  const auto thread = static_cast<ThreadId>(event.thread);
  switch (event.kind) {
    case OpKind::kCreate:
      if (event.result == 0) detector_.created(thread, static_cast<ThreadId>(other_of(event)));
      return;
    case OpKind::kExit: return detector_.ended(thread);
    case OpKind::kFence: return detector_.fence(thread, event.order);
    case OpKind::kFree: last_.erase(event.object >> 3); return;
    default: return detector_.performed(thread, operation_of(event), event.result);
  }
}

void MetricPairs::add_access(const Event& event) {
  const auto thread = static_cast<ThreadId>(event.thread);
  const OpKind kind = event.kind;
  if (kind == OpKind::kAtomicLoad || kind == OpKind::kAtomicRmw) detector_.load(thread, event.object, event.order);
  const Record plain{event.pc, detector_.known(thread, thread), static_cast<uint16_t>(thread),
                     0,        is_memory_write(kind),           is_atomic(kind)};
  const uint64_t end = event.object + event.size;
  for (uint64_t at = event.object & ~uint64_t{7}; at < end; at += 8) {
    const uint64_t first = at < event.object ? event.object - at : 0;
    const uint64_t last = std::min<uint64_t>(end - at, 8);
    Record fresh = plain;
    fresh.bytes = static_cast<uint8_t>((0xff << first) & (0xff >> (8 - last)));
    touch(at >> 3, fresh);
  }
  if (kind == OpKind::kAtomicStore) detector_.store(thread, event.object, event.order);
  if (kind == OpKind::kAtomicRmw) detector_.update(thread, event.object, event.order);
}

void MetricPairs::touch(uint64_t granule, const Record& fresh) {
  std::vector<Record>& records = last_[granule];
  Record* same = nullptr;
  for (Record& old : records) {
    if (old.slot == fresh.slot) {
      if (old.pc == fresh.pc && old.write == fresh.write && old.bytes == fresh.bytes) same = &old;
      continue;
    }
    if (conflict(old, fresh) && old.time > detector_.known(fresh.slot, old.slot))
      pairs_.insert(std::minmax(old.pc, fresh.pc));
  }
  if (same != nullptr)
    *same = fresh;
  else
    records.push_back(fresh);
}

}  // namespace snarl::detect
