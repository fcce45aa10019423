#include "policy/plugin.h"

#include <algorithm>

namespace snarl::policy {

uint64_t Plugin::random(const snarl_run* run, uint64_t bound) {
  return bound == 0 ? 0 : static_cast<Rng*>(run->internal)->below(bound);
}

bool Plugin::begin(const Run& run, Arena& arena, Plan&) {
  SNARL_CHECK(run.plugin != nullptr);
  library_ = run.plugin;
  rng_ = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  run_ = {run.key.seed, run.key.index, run.key.profile.steps, run.key.profile.threads, run.key.policy.given, {},
          random,       &rng_};
  std::copy(std::begin(run.key.policy.values), std::end(run.key.policy.values), run_.values);
  state_ = arena.array<std::max_align_t>(library_->state_size / sizeof(std::max_align_t) + 1).data();
  threads_ = arena.array<snarl_thread>(kMaxSlots);
  if (library_->begin != nullptr) library_->begin(state_, &run_);
  return false;
}

void Plugin::list(const View& view, ThreadId t) {
  const Op& op = view.next(t);
  threads_[count_++] = {
      view.name(t),        view.taken(t), op.object, op.pc, name_of(op.kind), view.ordinal(t) & ~kTimerBit, t,
      view.enabled.has(t), is_timer(t)};
}

void Plugin::decide(const View& view, Verdict& verdict) {
  count_ = 0;
  int32_t last = -1;
  view.live.for_each([&](ThreadId t) {
    if (t == view.last) last = static_cast<int32_t>(count_);
    list(view, t);
  });
  view.enabled.for_each([&](ThreadId t) {
    if (is_timer(t)) list(view, t);
  });
  const snarl_view shown{view.step, last, count_, threads_.data()};
  const uint32_t chosen = library_->decide(state_, &run_, &shown);
  const bool good = chosen < count_ && threads_[chosen].enabled;
  verdict.first = good ? threads_[chosen].slot : view.enabled.first();
}

}  // namespace snarl::policy
