#include "coseq/host/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <ctime>

#include "coseq/host/exhaustive.h"
#include "schedule/hit_rate.h"

namespace snarl::coseq {
namespace {

double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

constexpr size_t kMostFindings = 100;
constexpr uint64_t kLookAtClock = 256;  // schedules between two looks

}  // namespace

void DistinctCount::add(uint64_t hash) {
  hash = mix64(hash);
  const size_t at = hash >> (64 - kBits);
  const int rank = std::countl_zero(hash << kBits | 1) + 1;
  most_[at] = std::max(most_[at], static_cast<uint8_t>(rank));
}

uint64_t DistinctCount::estimate() const {
  const auto m = static_cast<double>(most_.size());
  double sum = 0, empty = 0;
  for (const uint8_t rank : most_) {
    sum += std::ldexp(1, -rank);
    empty += rank == 0;
  }
  double value = 0.7213 / (1 + 1.079 / m) * m * m / sum;
  if (value <= 2.5 * m && empty > 0) value = m * std::log(m / empty);
  return static_cast<uint64_t>(std::llround(value));
}

LaneCampaign::LaneCampaign(Lane& lane, const Wanted& wanted)
    : lane_(lane), wanted_(wanted), scheduler_(lane, wanted.budget), prefix_(lane, scheduler_) {
  profiles_.push_back({0, Profile{}});
  for (const std::string& text : wanted_.policies) {
    Chosen chosen = std::move(*parse_strategy(text));
    const bool counts = chosen.strategy->counts() != Counts::kNothing;
    block_ = std::max<uint64_t>(block_, chosen.strategy->group_size());
    const int depth = counts ? static_cast<int>(chosen.depth) : 0;
    parts_.push_back({std::move(chosen), PctBound(depth), PrefixChoice(wanted_.share)});
  }
}

// Of the epoch that the index is in: learnt from all earlier ones.
const Profile& LaneCampaign::profile_of(uint64_t index) const {
  size_t at = profiles_.size() - 1;
  while (at > 0 && profiles_[at].first > index) --at;
  return profiles_[at].second;
}

LaneCampaign::Position LaneCampaign::position(uint64_t index) const {
  const uint64_t blocks = index / block_, offset = index % block_;
  const size_t part = blocks % parts_.size(), size = parts_[part].chosen.strategy->group_size();
  const uint64_t own = blocks / parts_.size() * block_ + offset;
  return {part, own / size, own % size, index - own % size};
}

void LaneCampaign::draw(const Position& at) {
  const Chosen& chosen = parts_[at.part].chosen;
  const Profile& profile = profile_of(at.first);
  plans_.resize(chosen.strategy->group_size());
  chosen.strategy->fill(wanted_.seed, at.group, chosen.shape(profile.threads, profile.steps), plans_);
}

// A lane has ended, and its arena is as it left it.
void LaneCampaign::note(Part& part, uint64_t index, const Ended& end) {
  ++schedules_;
  ++part.schedules;
  distinct_.add(end.order);
  seen_.threads = std::max(seen_.threads, end.threads);
  seen_.steps = std::max<Step>(seen_.steps, end.steps);
  const uint32_t info = lane_.header().info;
  if (end.status == kLaneExit && info == 0) return;
  failures_.push_back({index, end, info, likeness(end)});
}

// The first schedule of all is planned without knowledge of the program, and counts nothing.
void LaneCampaign::count_for_bound(Part& part, const Profile& profile, uint64_t lanes, uint64_t passed_over) {
  if (part.bound.depth() == 0 || profile.epoch == 0) return;
  const Shape shape = part.chosen.shape(profile.threads, profile.steps);
  const bool together = part.chosen.strategy->counts() == Counts::kGroups;
  for (uint64_t i = 0; i < (together ? 1 : lanes); ++i)
    part.bound.count({shape.threads, shape.steps, 0}, {.passed_over = i < passed_over});
}

void LaneCampaign::run_group(const Position& at, uint64_t count) {
  Part& part = parts_[at.part];
  const Profile profile = profile_of(at.first);
  failures_.clear();
  draw(at);
  const std::span<const LanePlan> plans(plans_.data(), std::min<uint64_t>(count, plans_.size()));
  uint64_t passed_over = 0;
  const auto ended = [&](size_t lane, const Ended& end) {
    passed_over += end.passed_over;
    note(part, at.first + lane, end);
  };
  const bool can_share = plans.size() > 1 && plans[0].changes > 0, share = can_share && part.choice.shares();
  const double begin = can_share ? cpu_now() : 0;
  if (share)
    prefix_.run(plans, ended);
  else
    for (size_t i = 0; i < plans.size(); ++i) ended(i, scheduler_.run_plan(plans[i], nullptr));
  if (can_share) part.choice.took(share, cpu_now() - begin);
  count_for_bound(part, profile, plans.size(), passed_over);
  std::sort(failures_.begin(), failures_.end(), [](const Failure& a, const Failure& b) { return a.index < b.index; });
}

// What failures of one kind have in common: how it ended, and where threads stood.
uint64_t LaneCampaign::likeness(const Ended& end) {
  const LaneHeader& h = lane_.header();
  uint64_t hash = combine(end.status, static_cast<uint64_t>(lane_.failed_at()));
  if (end.status == kLaneExit || end.status == kLaneAssert) hash = combine(hash, h.info);
  if (end.status != kLaneDeadlock && end.status != kLaneLivelock) return hash;
  for (uint32_t slot = 0; slot < h.slots; ++slot)
    if (h.threads[slot].state == kThreadLives) hash += mix64(combine(h.threads[slot].pc, h.threads[slot].start));
  return hash;
}

// False: it says nothing about the program, or that lanes can't explore it.
bool LaneCampaign::can_go_on(const Failure& failure) {
  const Ended& end = failure.end;
  if (end.status == kLaneTooLong) {
    ++too_long_;
    longest_ = std::max(longest_, end.steps);
  }
  if (end.status == kLaneNoMemory)
    error_ = fmt::format("the program needs more heap than a lane has ({} MB)", (kLaneHeapEnd - kLaneHeap) >> 20);
  if (end.status == kLaneTooManyThreads)
    error_ = fmt::format("the program has more than {} threads at once", kLaneThreads);
  if (end.status == kLaneLimit) error_ = "lanes have no more than " + lane_.text_at(failure.info);
  if (end.status == kLaneComputes)
    error_ = "a thread came to no point for 2 seconds of CPU time: it computes for long, or for ever";
  return is_failure(end, failure.info);
}

void LaneCampaign::judge(const Failure& failure, const Tell& tell) {
  if (!can_go_on(failure)) return;
  ++failing_;
  const Position at = position(failure.index);
  Part& part = parts_[at.part];
  if (part.failing++ == 0) part.first = at.group * part.chosen.strategy->group_size() + at.lane + 1;
  // Most failures are like one that was told of: only a new kind is run again, which takes much longer.
  const auto [alike, is_first] = alike_.try_emplace(failure.likeness, findings_.size());
  if (!is_first) {
    if (alike->second < findings_.size()) ++findings_[alike->second].schedules;
    return;
  }
  if (findings_.size() < kMostFindings) tell_of(failure, alike->second, tell);
}

// A failure that does not come again is not a finding: what it depends on is not only the schedule.
void LaneCampaign::tell_of(const Failure& failure, size_t& alike, const Tell& tell) {
  report::Finding found = replay(failure.index);
  if (lane_.header().status != failure.end.status || lane_.header().info != failure.info) {
    ++unconfirmed_;
    --failing_;
    --parts_[position(failure.index).part].failing;
    alike_.erase(failure.likeness);
    return;
  }
  const auto [known, is_new] = known_.try_emplace(found.signature, findings_.size());
  alike = known->second;
  if (!is_new) {
    ++findings_[known->second].schedules;
    return;
  }
  found.id = fmt::format("{:04}", findings_.size() + 1);
  found.confirmed = true;
  found.schedules_before = failure.index;
  found.seconds = seconds_;
  findings_.push_back({.id = found.id,
                       .kind = report::kind_of(found),
                       .signature = found.signature,
                       .place = fmt::format("{}:{}", found.place.file, found.place.line),
                       .function = found.place.function,
                       .policy = found.policy,
                       .seed = wanted_.seed,
                       .index = failure.index,
                       .switches = found.switches,
                       .schedules = 1});
  tell(found);
}

report::Finding LaneCampaign::replay(uint64_t index) {
  const Position at = position(index);
  draw(at);
  trace_.clear();
  const Ended end = scheduler_.run_plan(plans_[at.lane], &trace_);
  report::Finding found = explain(lane_, end, trace_);
  found.policy = parts_[at.part].chosen.text;
  found.key.seed = wanted_.seed;
  found.key.index = index;
  found.key.profile = profile_of(at.first);
  return found;
}

report::Finding LaneCampaign::replay_path(const std::vector<uint32_t>& path) {
  trace_.clear();
  const Ended end = scheduler_.run_path(path, &trace_);
  report::Finding found = explain(lane_, end, trace_);
  found.policy = "exhaustive";
  found.confirmed = true;
  found.id = "0001";
  return found;
}

void LaneCampaign::begin_epoch(uint64_t index) {
  next_epoch_ = std::bit_ceil(index + 1);
  const Profile before = profiles_.back().second;
  const Profile next{.threads = std::max(2u, seen_.threads), .epoch = before.epoch + 1, .steps = seen_.steps};
  if (next.threads == before.threads && next.steps == before.steps) return;
  profiles_.push_back({index, next});
  for (Part& part : parts_) part.choice.begin_again();
}

bool LaneCampaign::explore(const Tell& tell) {
  const uint64_t most = wanted_.schedules == 0 ? ~uint64_t{0} : wanted_.schedules;
  const double begin = now(), end = begin + wanted_.seconds;
  const std::clock_t cpu_begin = std::clock();
  uint64_t look_at = 0;
  for (uint64_t index = 0; index < most;) {
    if (index >= look_at) {
      if (now() > end) break;
      look_at = index + kLookAtClock;
    }
    if (index >= next_epoch_) begin_epoch(index);
    if (batches_ != nullptr && index >= kFirstBatch) {
      index = run_many(index, most);
      if (batch_error_) return false;
    } else {
      run_group(position(index), most - index);
      index += plans_.size();
    }
    if (failures_.empty()) continue;
    seconds_ = now() - begin;
    const std::vector<Failure> failures = std::move(failures_);
    for (const Failure& failure : failures) {
      judge(failure, tell);
      if (failing_ > 0 && !wanted_.keep_going) break;
    }
    if (!error_.empty() || (failing_ > 0 && !wanted_.keep_going)) break;
  }
  seconds_ = now() - begin;
  cpu_seconds_ = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
  return error_.empty();
}

void LaneCampaign::summarize(report::Summary& summary) const {
  summary.seed = wanted_.seed;
  summary.schedules = schedules_;
  summary.failing_schedules = failing_;
  summary.seconds = seconds_;
  summary.cpu_seconds = cpu_seconds_;
  summary.keep_going = wanted_.keep_going;
  summary.switching = {"lanes", "the program is one state machine"};
  summary.reset = {"copy", "the arena of a lane is written anew"};
  summary.points = {"sync", "atomic", "memory"};
  summary.threads = seen_.threads;
  summary.steps = summary.points_seen = seen_.steps;
  summary.distinct_schedules = distinct_.estimate();
  summary.too_long = too_long_;
  summary.longest = longest_;
  summary.step_budget = wanted_.budget;
  summary.unconfirmed = unconfirmed_;
  summary.findings = findings_;
  for (const Part& part : parts_) {
    const RateInterval interval = exact_interval(part.failing, part.schedules);
    report::PolicyCount count;
    count.policy = part.chosen.text;
    count.schedules = part.schedules;
    count.failing_schedules = part.failing;
    if (part.schedules > 0) count.hit_rate = static_cast<double>(part.failing) / static_cast<double>(part.schedules);
    count.hit_rate_low = interval.low;
    count.hit_rate_high = interval.high;
    if (part.failing > 0) count.first_after = part.first;
    summary.policy.push_back(count);
    if (part.bound.depth() == 0 || failing_ > 0 || too_long_ > 0 || unconfirmed_ > 0) continue;
    const Claim claim = part.bound.claim(0);
    summary.bound.push_back({count.policy, part.bound.depth(), claim.threads, claim.steps, claim.counted,
                             claim.probability, claim.met.time_out, claim.met.passed_over, claim.met.starvation,
                             claim.met.watchdog});
  }
  for (const auto& [index, profile] : profiles_)
    summary.profiles.push_back({profile.epoch, index, profile.threads, profile.steps});
}

}  // namespace snarl::coseq
