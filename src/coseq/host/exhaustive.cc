#include "coseq/host/exhaustive.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/hash.h"

namespace snarl::coseq {
namespace {

constexpr size_t kMostStates = 20'000'000;
constexpr size_t kDeepest = 20'000;  // steps of one schedule: each has a saved state

}  // namespace

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// What the future depends on: the arena without the step counter and what calls have left, who runs, and what is left.
Exhaustive::Hash128 Exhaustive::state(uint32_t running, uint32_t left) {
  std::vector<uint8_t> bytes;
  lane_.save(bytes);
  auto* h = reinterpret_cast<LaneHeader*>(bytes.data());
  h->steps = 0;
  h->current = h->waiting = 0;
  std::memset(h->returned, 0, sizeof h->returned);
  Hash128 hash{mix64(running), mix64(uint64_t{left} << 32 | 1)};
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, &bytes[i], std::min<size_t>(8, bytes.size() - i));
    hash.low = mix64(hash.low ^ word);
    hash.high = mix64(hash.high + word * 0x9e3779b97f4a7c15 + 1);
  }
  return hash;
}

void Exhaustive::fail(uint32_t status) {
  result_.failed = stopped_ = true;
  result_.path = path_;
  const LaneHeader& h = lane_.header();
  result_.end = {status, h.steps, h.created, 0, false, false};
}

// The schedule goes on with this thread. False: it has ended.
bool Exhaustive::take(uint32_t slot) {
  path_.push_back(slot);
  const bool continues = scheduler_.step(slot);
  const LaneHeader& h = lane_.header();
  result_.steps = std::max<uint64_t>(result_.steps, h.steps);
  result_.threads = std::max(result_.threads, h.created);
  if (!continues && !(h.status == kLaneExit && h.info == 0)) fail(h.status);
  return continues;
}

// The schedules in which the next deadline comes, though a thread could run.
double Exhaustive::after_deadline(const std::vector<uint8_t>& here, uint32_t running, uint32_t left, size_t depth) {
  lane_.restore(here);
  const int slot = scheduler_.near_deadline();
  if (slot < 0) return 0;
  path_.push_back(kDeadlineOf + static_cast<uint32_t>(slot));
  scheduler_.fire(static_cast<uint32_t>(slot));
  const double schedules = from_here(running, left, depth + 1);
  path_.pop_back();
  return schedules;
}

double Exhaustive::from_here(uint32_t running, uint32_t left, size_t depth) {
  const uint64_t set = scheduler_.enabled();
  if (set == 0) {
    fail(kLaneDeadlock);
    return 1;
  }
  if (depth > std::min<uint64_t>(kDeepest, budget_) || seen_.size() > kMostStates ||
      ((seen_.size() & 255) == 0 && now() > deadline_)) {
    stopped_ = true;
    return 0;
  }
  const bool can_continue = running < kLaneThreads && (set >> running & 1) != 0;
  const Hash128 key = state(can_continue ? running : kLaneThreads, left);
  if (const auto [found, is_new] = seen_.try_emplace(key, -1.0); !is_new) {
    if (found->second < 0) result_.has_loops = true;
    return std::max(found->second, 0.0);
  }
  std::vector<uint8_t> here;
  lane_.save(here);
  double schedules = 0;
  bool is_first = true;
  for (uint32_t slot = 0; slot < kLaneThreads && !stopped_; ++slot) {
    if ((set >> slot & 1) == 0) continue;
    const bool preempts = can_continue && slot != running;
    if (preempts && left == 0) continue;
    if (!is_first) lane_.restore(here);
    is_first = false;
    schedules += take(slot) ? from_here(slot, left - (preempts ? 1 : 0), depth + 1) : 1;
    path_.pop_back();
  }
  if (!stopped_) schedules += after_deadline(here, running, left, depth);
  seen_[key] = schedules;
  return schedules;
}

Exhausted Exhaustive::explore() {
  scheduler_.begin();
  result_ = {};
  result_.schedules = from_here(kLaneThreads, preemptions_, 0);
  result_.states = seen_.size();
  result_.complete = !stopped_;
  return result_;
}

}  // namespace snarl::coseq
