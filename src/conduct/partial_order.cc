#include "conduct/partial_order.h"

#include <array>
#include <cerrno>

#include "schedule/access.h"

namespace snarl::conduct {
namespace {

enum class Effect : uint8_t { kNone, kRead, kWrite, kWriteBoth, kTake, kRwLock, kOnThread, kOutside };

constexpr Effect effect_of(OpKind kind) {
  switch (kind) {
    case OpKind::kUnlock: return Effect::kWrite;
    case OpKind::kWait:
    case OpKind::kReacquire:
    case OpKind::kFutexRequeue: return Effect::kWriteBoth;
    case OpKind::kLock:
    case OpKind::kTryLock: return Effect::kTake;
    case OpKind::kBarrierPass: return Effect::kRead;
    case OpKind::kReadLock:
    case OpKind::kTryReadLock:
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock:
    case OpKind::kRwUnlock: return Effect::kRwLock;
    case OpKind::kExit:
    case OpKind::kJoin:
    case OpKind::kTryJoin:
    case OpKind::kCancel:
    case OpKind::kKill: return Effect::kOnThread;
    case OpKind::kIo:
    case OpKind::kFork:
    case OpKind::kExec:
    case OpKind::kEndProcess: return Effect::kOutside;
    default: break;
  }
  const Access access = access_of(Op{.kind = kind});
  return access == Access::kNone ? Effect::kNone : access == Access::kRead ? Effect::kRead : Effect::kWrite;
}

constexpr auto kEffects = [] {
  std::array<Effect, static_cast<size_t>(OpKind::kCount)> effects{};
  for (size_t kind = 0; kind < effects.size(); ++kind) effects[kind] = effect_of(static_cast<OpKind>(kind));
  return effects;
}();

}  // namespace

void PartialOrder::begin(uint64_t* sum, StaticName static_name, const Slot* slots) {
  sum_ = sum;
  if (sum == nullptr) return;
  static_name_ = static_name;
  slots_ = slots;
  *sum_ = kMainName;
  thread_at(kMainThread) = {kMainName, 0, 0};
  outside_.start_anew(1);
  clock_.start_anew(2);
  nothing_ = {};
  latest_ = &nothing_;
  unseen_ = 0;
  used_ = 0;
  use_slots(kFewSlots);
}

void PartialOrder::stepped(ThreadId t, const Op& op, int result) {
  switch (kEffects[static_cast<size_t>(op.kind)]) {
    case Effect::kNone: return;
    case Effect::kRead: return read(t, start(t, op.kind, result), object_at(op.object));
    case Effect::kWrite: return write(t, start(t, op.kind, result), object_at(op.object));
    case Effect::kTake:
      if (result == 0 || result == EOWNERDEAD) return write(t, start(t, op.kind, result), object_at(op.object));
      return read(t, start(t, op.kind, result), object_at(op.object));
    case Effect::kWriteBoth:
      return write_both(t, start(t, op.kind, result), object_at(op.object), object_at(op.second));
    case Effect::kRwLock: return on_rwlock(t, op, result);
    case Effect::kOnThread: return on_thread(t, op, result);
    case Effect::kOutside: return write(t, start(t, op.kind, 0), outside_);
  }
}

bool PartialOrder::stepped_unseen(ThreadId t, const Op& op) {
  if (unseen_ == kMostUnseen) return give_up(), false;
  ++unseen_;
  stepped(t, op, 0);
  return true;
}

// One object may be named twice.
void PartialOrder::write_both(ThreadId t, uint64_t parts, Conflicts& one, Conflicts& other) {
  const uint64_t more = &one == &other ? 0 : mix64(other.write + rotated(other.reads, 47));
  write(t, parts + more, one);
  other = one;
}

// Only the writer has the lock for writing, so that is how it gives it back.
void PartialOrder::on_rwlock(ThreadId t, const Op& op, int result) {
  Object& lock = object_at(op.object);
  const bool gives_back = op.kind == OpKind::kRwUnlock;
  const bool takes = (op.kind == OpKind::kWriteLock || op.kind == OpKind::kTryWriteLock) && result == 0;
  const bool writes = takes || (gives_back && lock.for_writing);
  if (takes || gives_back) lock.for_writing = takes;
  const uint64_t parts = start(t, op.kind, result);
  writes ? write(t, parts, lock) : read(t, parts, lock);
}

// The exit of a thread is the last of its events, so a join that succeeds knows it.
void PartialOrder::on_thread(ThreadId t, const Op& op, int result) {
  const uint64_t parts = start(t, op.kind, result);
  if (op.kind == OpKind::kExit || op.thread >= kMaxThreads) {
    end(t, parts + rotated(thread_at(t).asks, 47));
    return;
  }
  Thread& other = thread_at(op.thread);
  if (op.kind == OpKind::kCancel || op.kind == OpKind::kKill) {
    const uint64_t so_far = mix64(other.last ^ slots_[op.thread].taken) + rotated(other.mail, 17);
    other.mail = end(t, parts + rotated(so_far, 31));
  } else if (result == 0) {
    end(t, parts + rotated(other.last, 31));
  } else {
    other.asks += end(t, parts);
  }
}

void PartialOrder::fired(ThreadId timer, const ThreadSet& live) {
  const uint64_t name = is_alarm(timer) ? timer : slots_[thread_of_timer(timer)].name;
  uint64_t so_far = name ^ static_cast<uint64_t>(OpKind::kTimeout);
  live.for_each(
      [&](ThreadId t) { so_far += mix64((thread_at(t).last ^ slots_[t].taken) + rotated(thread_at(t).mail, 17)); });
  const uint64_t event = mix64(so_far);
  *sum_ += event;
  live.for_each([&](ThreadId t) { thread_at(t).mail = event; });
}

PartialOrder::Object& PartialOrder::search(uint64_t address) {
  uint32_t slot = home(address) & mask_;
  for (; by_address_[slot] != 0; slot = (slot + 1) & mask_) {
    Object& object = objects_[by_address_[slot] - 1u];
    if (object.address == address) return *(latest_ = &object);
  }
  return make(address, slot);
}

PartialOrder::Object& PartialOrder::make(uint64_t address, uint32_t slot) {
  if (used_ == kMostObjects) return give_up(), nothing_;
  Object& object = objects_[used_++];
  object.address = address;
  object.for_writing = false;
  object.start_anew(static_name_ == nullptr ? 0 : static_name_(address));
  by_address_[slot] = static_cast<uint16_t>(used_);
  if (2 * used_ > mask_ + 1) use_slots(2 * (mask_ + 1));
  return *(latest_ = &object);
}

// At most half of them are in use, so that a search is short; few, so that little memory is touched.
void PartialOrder::use_slots(uint32_t count) {
  mask_ = count - 1;
  by_address_ = count == kFewSlots ? few_slots_ : many_slots_.data();
  for (uint32_t slot = 0; slot < count; ++slot) by_address_[slot] = 0;
  for (uint32_t i = 0; i < used_; ++i) {
    uint32_t slot = home(objects_[i].address) & mask_;
    while (by_address_[slot] != 0) slot = (slot + 1) & mask_;
    by_address_[slot] = static_cast<uint16_t>(i + 1);
  }
}

void PartialOrder::give_up() {
  *sum_ = 0;
  sum_ = &no_sum_;
}

}  // namespace snarl::conduct
