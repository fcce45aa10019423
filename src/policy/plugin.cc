#include "policy/plugin.h"

#include <algorithm>

namespace snarl::policy {

uint64_t Plugin::random(const snarl_run* run, uint64_t bound) {
  return bound == 0 ? 0 : static_cast<Rng*>(run->internal)->below(bound);
}

snarl_run Plugin::shown(const Run& run, Rng& rng) {
  rng = Rng(run.key.seed, run.key.index, Stream::kPolicy);
  snarl_run result = {
      run.key.seed, run.key.index, run.key.turn, run.key.profile.steps, run.key.profile.threads, run.key.policy.given,
      {},           random,        &rng};
  std::copy(std::begin(run.key.policy.values), std::end(run.key.policy.values), result.values);
  return result;
}

uint32_t Plugin::turns(const Run& run) const {
  SNARL_CHECK(run.plugin != nullptr);
  if (run.plugin->turns == nullptr) return 0;
  Rng rng;
  const snarl_run about = shown(run, rng);
  return run.plugin->turns(&about);
}

bool Plugin::begin(const Run& run, Arena& arena, Plan&) {
  SNARL_CHECK(run.plugin != nullptr);
  library_ = run.plugin;
  run_ = shown(run, rng_);
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
  view.deadlines().for_each([&](ThreadId t) { list(view, t); });
  const snarl_view shown{view.step, last, count_, threads_.data()};
  const uint32_t chosen = library_->decide(state_, &run_, &shown);
  const bool good = chosen < count_ && threads_[chosen].enabled;
  verdict.first = good ? threads_[chosen].slot : view.enabled.first();
}

}  // namespace snarl::policy
