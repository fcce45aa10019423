#include "detect/predict_trace.h"

#include <algorithm>
#include <cerrno>

#include "base/hash.h"

namespace snarl::detect {
namespace {

constexpr uint64_t kMostBytes = 1 << 16;  // of one access that are looked at

bool is_atomic(OpKind kind) { return kind != OpKind::kRead && kind != OpKind::kWrite; }

bool has_got_it(const Event& event) { return event.result == 0 || event.result == EOWNERDEAD; }

// A block of the heap that comes to lie where another one was is another variable.
uint64_t variable_of(const Event& event, uint64_t granule) {
  return event.block == 0 ? granule : mix64(granule ^ uint64_t{event.block} << 48);
}

// The kinds of objects may share addresses.
uint64_t hard_key(ObjectKind kind, uint64_t object) { return combine(object, static_cast<uint64_t>(kind) + 1); }

}  // namespace

bool conflict(const AccessList& a, const AccessList& b) {
  return a.thread != b.thread && (a.bytes & b.bytes) != 0 && (a.write || b.write) && !(a.atomic && b.atomic);
}

PredictTrace::PredictTrace(std::span<const Event> events) : events_(events) {
  thread_.reserve(size());
  nth_.reserve(size());
  first_need_.reserve(size() + 1);
  for (EventIndex i = 0; i < size(); ++i) add(i);
  first_need_.push_back(needs_.size());
  for (auto& [number, granule] : granules_) {
    const auto is_other = [&](const AccessList& list) { return list.thread != granule.lists.front().thread; };
    if (std::ranges::any_of(granule.lists, is_other)) variables_.push_back(std::move(granule.lists));
  }
  std::ranges::sort(variables_, {}, [](const auto& lists) { return lists.front().events.front(); });
  granules_.clear();
  hard_.clear();
}

uint32_t PredictTrace::thread_of(uint32_t ordinal) {
  const auto [at, is_new] = thread_by_ordinal_.try_emplace(ordinal, threads());
  if (!is_new) return at->second;
  ordinals_.push_back(ordinal);
  by_thread_.emplace_back();
  held_.emplace_back();
  holding_.emplace_back();
  return at->second;
}

void PredictTrace::add(EventIndex i) {
  const Event& event = events_[i];
  first_need_.push_back(needs_.size());
  const uint32_t thread = thread_of(event.thread);
  thread_.push_back(thread);
  by_thread_[thread].push_back(i);
  nth_.push_back(static_cast<uint32_t>(by_thread_[thread].size()));
  if (nth_[i] == 1)
    if (const auto creation = created_.find(event.thread); creation != created_.end()) need(creation->second);
  if (is_memory_access(event.kind))
    access(i);
  else
    order(i);
}

void PredictTrace::need(EventIndex event) {
  if (event != kNoEvent && thread_[event] != thread_.back()) needs_.push_back(event);
}

void PredictTrace::access(EventIndex i) {
  const Event& event = events_[i];
  const uint64_t end = event.object + std::min<uint64_t>(event.size, kMostBytes);
  for (uint64_t at = event.object & ~uint64_t{7}; at < end; at += 8) {
    const uint64_t first = at < event.object ? event.object - at : 0;
    const uint64_t last = end - at < 8 ? end - at : 8;
    const auto bytes = static_cast<uint8_t>((0xff << first) & (0xff >> (8 - last)));
    Granule& granule = granules_[variable_of(event, at >> 3)];
    touch(i, event.kind, granule, bytes);
    list(i, granule, bytes);
  }
}

void PredictTrace::touch(EventIndex i, OpKind kind, Granule& granule, uint8_t bytes) {
  const bool reads = is_memory_read(kind) || kind == OpKind::kAtomicRmw, writes = is_memory_write(kind);
  for (const Write& write : granule.writes)
    if (reads && (write.bytes & bytes) != 0) need(write.event);
  if (is_atomic(kind)) {
    need(granule.atomic_write);
    if (writes) {
      for (const EventIndex read : granule.atomic_reads) need(read);
      granule.atomic_reads.clear();
      granule.atomic_write = i;
    } else {
      std::erase_if(granule.atomic_reads, [&](EventIndex read) { return thread_[read] == thread_[i]; });
      granule.atomic_reads.push_back(i);
    }
  }
  if (!writes) return;
  for (Write& write : granule.writes) write.bytes &= static_cast<uint8_t>(~bytes);
  std::erase_if(granule.writes, [](const Write& write) { return write.bytes == 0; });
  granule.writes.push_back({i, bytes});
}

void PredictTrace::list(EventIndex i, Granule& granule, uint8_t bytes) {
  const Event& event = events_[i];
  AccessList fresh{.pc = event.pc,
                   .thread = thread_[i],
                   .bytes = bytes,
                   .write = is_memory_write(event.kind),
                   .atomic = is_atomic(event.kind)};
  const auto same = [&](const AccessList& l) {
    return l.pc == fresh.pc && l.thread == fresh.thread && l.bytes == fresh.bytes && l.write == fresh.write &&
           l.atomic == fresh.atomic;
  };
  auto at = std::ranges::find_if(granule.lists, same);
  if (at == granule.lists.end()) at = granule.lists.insert(at, std::move(fresh));
  at->events.push_back(i);
}

// A wait at a futex compares what lies there.
void PredictTrace::compare_futex(EventIndex i) {
  const uint64_t address = events_[i].object;
  const auto bytes = static_cast<uint8_t>(0xf << address % 8);
  touch(i, OpKind::kAtomicLoad, granules_[variable_of(events_[i], address >> 3)], bytes);
}

// Whoever comes later comes after all that the one before it has done by now: the routine of a once object is done.
void PredictTrace::follow_once(EventIndex i) {
  const uint64_t object = hard_key(ObjectKind::kOnce, events_[i].object);
  if (const auto before = hard_.find(object); before != hard_.end()) need(by_thread_[thread_[before->second]].back());
  follow_hard(i, object);
}

// Whatever comes to the same object does so in the order that was observed.
void PredictTrace::follow_hard(EventIndex i, uint64_t object) {
  const auto [at, is_new] = hard_.try_emplace(object, i);
  if (!is_new) need(at->second);
  at->second = i;
}

void PredictTrace::order(EventIndex i) {
  const Event& event = events_[i];
  switch (event.kind) {
    case OpKind::kCreate: created_[other_of(event)] = i; return;
    case OpKind::kJoin:
    case OpKind::kTryJoin:
      if (const auto other = thread_by_ordinal_.find(other_of(event));
          event.result == 0 && other != thread_by_ordinal_.end())
        need(by_thread_[other->second].back());
      return;
    case OpKind::kLock:
    case OpKind::kTryLock: return has_got_it(event) ? acquire(i, event.object) : fail_to_acquire(event.object);
    case OpKind::kUnlock:
      if (event.result == 0) release(i, event.object);
      return;
    case OpKind::kWait:
      follow_hard(i, hard_key(ObjectKind::kCondition, event.object));
      return release(i, second_of(event));
    case OpKind::kReacquire:
      follow_hard(i, hard_key(ObjectKind::kCondition, event.object));
      return acquire(i, second_of(event));
    case OpKind::kKill: return follow_hard(i, hard_key(ObjectKind::kCount, other_of(event)));
    case OpKind::kHandler: return follow_hard(i, hard_key(ObjectKind::kCount, event.thread));
    case OpKind::kFutexWait: compare_futex(i); return follow_hard(i, hard_key(ObjectKind::kFutex, event.object));
    case OpKind::kFutexRequeue:
      follow_hard(i, hard_key(ObjectKind::kFutex, event.object));
      return follow_hard(i, hard_key(ObjectKind::kFutex, second_of(event)));
    case OpKind::kOnce: return follow_once(i);
    case OpKind::kCancel:
    case OpKind::kIo:
    case OpKind::kFork:
    case OpKind::kExec: return follow_hard(i, hard_key(ObjectKind::kNone, 0));
    default: break;
  }
  if (const ObjectKind kind = object_of(event.kind); kind != ObjectKind::kNone && kind != ObjectKind::kMutex)
    follow_hard(i, hard_key(kind, event.object));
}

PredictTrace::Mutex& PredictTrace::mutex(uint64_t lock) {
  const auto [at, is_new] = mutexes_.try_emplace(lock);
  if (is_new) at->second.number = static_cast<uint32_t>(users_.size()), users_.emplace_back();
  return at->second;
}

void PredictTrace::acquire(EventIndex i, uint64_t lock) {
  Mutex& m = mutex(lock);
  const uint32_t thread = thread_[i];
  if (m.owner == thread + 1 && m.depth++ > 0) return;
  m.owner = thread + 1;
  m.depth = 1;
  const auto index = static_cast<uint32_t>(sections_.size());
  sections_.push_back({.acquire = i, .thread = thread, .lock = m.number});
  section_at_[i] = index;
  m.last = index + 1;
  std::vector<std::vector<uint32_t>>& users = users_[m.number];
  const auto mine = std::ranges::find_if(users, [&](const auto& u) { return sections_[u.front()].thread == thread; });
  if (mine == users.end())
    users.push_back({index});
  else
    mine->push_back(index);
  holding_[thread].push_back(index);
  keep_held(thread, holding_[thread]);
}

void PredictTrace::release(EventIndex i, uint64_t lock) {
  Mutex& m = mutex(lock);
  const uint32_t thread = thread_[i];
  if (m.owner != thread + 1 || --m.depth > 0) return;
  m.owner = 0;
  sections_[m.last - 1].release = i;
  std::erase(holding_[thread], m.last - 1);
  keep_held(thread, holding_[thread]);
}

// It was somebody's: that it had been taken comes first.
void PredictTrace::fail_to_acquire(uint64_t lock) {
  if (const Mutex& m = mutex(lock); m.owner != 0) need(sections_[m.last - 1].acquire);
}

void PredictTrace::keep_held(uint32_t thread, const std::vector<uint32_t>& held) {
  const auto begin = static_cast<uint32_t>(held_pool_.size());
  held_pool_.insert(held_pool_.end(), held.begin(), held.end());
  held_[thread].push_back(
      {static_cast<uint32_t>(by_thread_[thread].size()), begin, static_cast<uint32_t>(held_pool_.size())});
}

const Section* PredictTrace::section_at(EventIndex acquire) const {
  const auto at = section_at_.find(acquire);
  return at == section_at_.end() ? nullptr : &sections_[at->second];
}

std::span<const uint32_t> PredictTrace::held(uint32_t thread, uint32_t after) const {
  const std::vector<Held>& changes = held_[thread];
  const auto next = std::ranges::upper_bound(changes, after, {}, &Held::after);
  if (next == changes.begin()) return {};
  return {held_pool_.data() + std::prev(next)->begin, held_pool_.data() + std::prev(next)->end};
}

}  // namespace snarl::detect
