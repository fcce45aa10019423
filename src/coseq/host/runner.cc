#include "coseq/host/runner.h"

#include <algorithm>
#include <ctime>

#include "coseq/host/explain.h"

namespace snarl::coseq {
namespace {

constexpr uint64_t kLookAt = 256;  // schedules between two questions whether to stop

double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Ends that say that lanes can't explore the program.
bool is_limit(uint32_t status) {
  return status == kLaneNoMemory || status == kLaneTooManyThreads || status == kLaneComputes || status == kLaneLimit;
}

}  // namespace

Runner::Runner(Lane& lane, std::vector<Method> methods, uint64_t seed, uint64_t budget, SharePrefix share)
    : lane_(lane),
      methods_(std::move(methods)),
      seed_(seed),
      scheduler_(lane, budget),
      prefix_(lane, scheduler_),
      policy_run_(lane, scheduler_, budget) {
  scheduler_.let_deadlines_come_early(true);
  for (const Method& method : methods_) {
    block_ = std::max(block_, method.group_size());
    choices_.emplace_back(share);
  }
}

void Runner::set_profile(const Profile& profile) {
  if (profile.threads != profile_.threads || profile.steps != profile_.steps)
    for (PrefixChoice& choice : choices_) choice.begin_again();
  profile_ = profile;
}

Runner::Position Runner::position(uint64_t index) const {
  const uint64_t blocks = index / block_, offset = index % block_;
  const size_t part = blocks % methods_.size(), size = methods_[part].group_size();
  const uint64_t own = blocks / methods_.size() * block_ + offset;
  return {part, own / size, own % size, index - own % size};
}

void Runner::draw(const Position& at) {
  const Chosen& chosen = methods_[at.part].chosen;
  plans_.resize(chosen.strategy->group_size());
  chosen.strategy->fill(seed_, at.group, chosen.shape(profile_.threads, profile_.steps), plans_);
}

RunKey Runner::key_of(const Position& at) const {
  RunKey key{
      .seed = seed_, .index = at.first, .turn = at.group, .profile = profile_, .policy = methods_[at.part].policy};
  return key;
}

// What policies want to know of the program.
void Runner::learn() {
  if (!learnt_) policy_run_.profile(seed_);
  learnt_ = true;
}

// What failures of one kind have in common: how it ended, and where threads stood.
uint64_t Runner::likeness(const Ended& end) {
  const LaneHeader& h = lane_.header();
  uint64_t hash = combine(end.status, static_cast<uint64_t>(lane_.failed_at()));
  if (end.status == kLaneExit || end.status == kLaneAssert) hash = combine(hash, h.info);
  if (end.status == kLaneMisuse) hash = combine(combine(hash, h.detail & 0xff), h.line);
  if (end.status != kLaneDeadlock && end.status != kLaneLivelock) return hash;
  for (uint32_t slot = 0; slot < h.slots; ++slot)
    if (h.threads[slot].state == kThreadLives) hash += mix64(combine(h.threads[slot].pc, h.threads[slot].start));
  return hash;
}

// A lane has ended, and its arena is as it left it. True: it failed.
bool Runner::note(const Position& at, size_t lane, const Ended& end, Tally& tally) {
  PartTally& part = tally.part[at.part];
  ++tally.schedules;
  ++part.schedules;
  tally.distinct.add(end.order);
  tally.threads = std::max(tally.threads, end.threads);
  tally.steps = std::max(tally.steps, end.steps);
  tally.timed |= end.timed;
  const uint32_t info = lane_.header().info;
  if (end.status == kLaneTooLong) {
    ++tally.too_long;
    tally.longest = std::max(tally.longest, end.steps);
  }
  if (is_limit(end.status) && tally.limit == 0) tally.limit = end.status, tally.limit_info = info;
  if (!is_failure(end, info)) return false;
  ++part.failing;
  const uint64_t own = at.group * methods_[at.part].group_size() + lane + 1;
  if (part.first == 0 || own < part.first) part.first = own;
  tally.add({{at.first + lane, end, info, likeness(end)}, 1, static_cast<uint32_t>(at.part)});
  return true;
}

// The first schedule of all is planned without knowledge of the program, and counts nothing.
void Runner::count_for_bound(const Position& at, uint64_t lanes, uint64_t passed_over, Tally& tally) {
  const Method& method = methods_[at.part];
  if (method.counts() == Counts::kNothing || profile_.epoch == 0) return;
  const bool together = method.counts() == Counts::kGroups;
  tally.part[at.part].counted += together ? 1 : lanes;
  tally.part[at.part].passed_over += together ? passed_over > 0 : passed_over;
}

std::vector<LanePlan> Runner::plans(uint64_t begin, uint64_t end) {
  std::vector<LanePlan> all;
  for (uint64_t index = begin; index < end;) {
    draw(position(index));
    const auto count = static_cast<ptrdiff_t>(std::min<uint64_t>(plans_.size(), end - index));
    all.insert(all.end(), plans_.begin(), plans_.begin() + count);
    index += static_cast<uint64_t>(count);
  }
  return all;
}

uint64_t Runner::take_batch(uint64_t begin, std::span<const LanePlan> plans, const Batch& batch, Tally& tally) {
  uint64_t disagreements = 0;
  tally.schedules += batch.passed;
  tally.threads = std::max(tally.threads, batch.threads);
  tally.steps = std::max<uint64_t>(tally.steps, batch.steps);
  tally.distinct.merge(batch.distinct);
  for (uint64_t index = begin; index < begin + plans.size();) {
    const Position at = position(index);
    const uint64_t count = std::min<uint64_t>(methods_[at.part].group_size(), begin + plans.size() - index);
    tally.part[at.part].schedules += count;
    count_for_bound(at, count, 0, tally);
    index += count;
  }
  for (const Batch::Other& other : batch.others) {
    const Position at = position(begin + other.lane);
    const Ended here = scheduler_.run_plan(plans[other.lane], nullptr);
    if (other.end != kLaneToHost && other.end != here.status) ++disagreements;
    --tally.part[at.part].schedules;  // it is counted again
    note(at, at.lane, here, tally);
  }
  return disagreements;
}

// True: one of them failed.
bool Runner::run_group(const Position& at, uint64_t count, Tally& tally) {
  const Method& method = methods_[at.part];
  uint64_t passed_over = 0;
  bool failed = false;
  const auto ended = [&](size_t lane, const Ended& end) {
    passed_over += end.passed_over;
    failed |= note(at, lane, end, tally);
  };
  if (method.is_policy()) {
    learn();
    ended(0, policy_run_.run(key_of(at), nullptr));
    return failed;
  }
  draw(at);
  PrefixChoice& choice = choices_[at.part];
  const std::span<const LanePlan> plans(plans_.data(), std::min<uint64_t>(count, plans_.size()));
  const bool can_share = plans.size() > 1 && plans[0].changes > 0, share = can_share && choice.shares();
  const double begin = can_share ? cpu_now() : 0;
  if (share)
    prefix_.run(plans, ended);
  else
    for (size_t i = 0; i < plans.size(); ++i) ended(i, scheduler_.run_plan(plans[i], nullptr));
  if (can_share) choice.took(share, cpu_now() - begin);
  count_for_bound(at, plans.size(), passed_over, tally);
  return failed;
}

uint64_t Runner::run(uint64_t begin, uint64_t end, bool until_failure, const std::function<bool()>& stop,
                     Tally& tally) {
  uint64_t look_at = begin;
  for (uint64_t index = begin; index < end;) {
    if (index >= look_at) {
      if (stop()) return index;
      look_at = index + kLookAt;
    }
    const Position at = position(index);
    const bool failed = run_group(at, end - index, tally);
    index += std::min<uint64_t>(end - index, methods_[at.part].group_size());
    if (tally.limit != 0 || (failed && until_failure)) return index;
  }
  return end;
}

Ended Runner::again(uint64_t index, std::vector<TraceStep>& trace) {
  const Position at = position(index);
  trace.clear();
  lane_.be_thorough(true);
  const Ended end = again(at, trace);
  lane_.be_thorough(false);
  return end;
}

Ended Runner::again(const Position& at, std::vector<TraceStep>& trace) {
  if (methods_[at.part].is_policy()) {
    learn();
    return policy_run_.run(key_of(at), &trace);
  }
  draw(at);
  return scheduler_.run_plan(plans_[at.lane], &trace);
}

}  // namespace snarl::coseq
