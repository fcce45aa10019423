#include "policy/atom_fuzzer.h"

#include "policy/pick.h"
#include "schedule/access.h"

namespace snarl::policy {

bool AtomFuzzer::begin(const Run& run, Arena& arena, Plan&) {
  rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  waits_for_ = arena.array<uint64_t>(kMaxThreads);
  released_ = arena.array<uint64_t>(kRoom);
  return false;
}

// Where the hash of the pair is, or would be.
uint64_t& AtomFuzzer::entry(uint64_t thread, uint64_t lock) {
  const uint64_t hash = combine(thread, lock) | 1;
  size_t at = hash / 2 % kRoom;
  while (released_[at] != 0 && released_[at] != hash) at = (at + 1) % kRoom;
  return released_[at];
}

void AtomFuzzer::arrived(const Arrival& arrival) {
  const bool again = is_acquisition(arrival.op) && entry(arrival.name, arrival.op.object) != 0;
  paused_.put(arrival.thread, again);
  waits_for_[arrival.thread] = arrival.op.object;
}

void AtomFuzzer::stepped(const Arrival& step, bool) {
  paused_.remove(step.thread);
  if (is_acquisition(step.op) && !paused_.empty()) {
    ThreadSet entered;
    paused_.for_each([&](ThreadId t) {
      if (waits_for_[t] == step.op.object) entered.add(t);
    });
    paused_ = paused_.minus(entered);
  }
  const uint64_t lock = released_by(step.op);
  if (lock == 0 || used_ == kRoom / 2) return;
  uint64_t& given_back = entry(step.name, lock);
  if (given_back != 0) return;
  given_back = combine(step.name, lock) | 1;
  ++used_;
}

void AtomFuzzer::decide(const View& view, Verdict& verdict) {
  const ThreadSet awake = paused_.empty() ? ThreadSet() : view.enabled.minus(paused_);
  verdict.first = any_of(awake.empty() ? view.enabled : awake, rng_);
}

}  // namespace snarl::policy
