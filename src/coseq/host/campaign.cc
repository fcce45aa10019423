#include "coseq/host/campaign.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>

#include "coseq/host/crew.h"
#include "coseq/host/exhaustive.h"
#include "coseq/host/explain.h"
#include "policy/pct.h"
#include "report/text/finding_words.h"
#include "schedule/hit_rate.h"

namespace snarl::coseq {
namespace {

constexpr size_t kMostFindings = 100;
constexpr uint64_t kWorthCopies = 1 << 14;  // schedules that are worth a copy of the process for each core
constexpr uint64_t kAtOnce = 1 << 16;       // schedules of one process between two judgements
constexpr double kBetweenLines = 0.1;       // seconds between two lines of progress

double cpu_of_all() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  return seconds;
}

std::vector<Method> methods_of(const Wanted& wanted) {
  std::vector<Method> methods;
  for (const std::string& text : wanted.policies) methods.push_back(std::move(*parse_method(text)));
  return methods;
}

}  // namespace

report::SummaryFinding row_of(const report::Finding& finding) {
  report::SummaryFinding row;
  row.id = finding.id;
  row.kind = report::kind_of(finding);
  row.signature = finding.signature;
  row.place = fmt::format("{}:{}", finding.place.file, finding.place.line);
  row.function = finding.place.function;
  row.policy = finding.policy;
  row.seed = finding.key.seed;
  row.index = finding.key.index;
  row.switches = finding.switches;
  row.schedules = 1;
  row.summary = report::summary_of(finding);
  return row;
}

LaneCampaign::LaneCampaign(Lane& lane, const Wanted& wanted)
    : lane_(lane), wanted_(wanted), runner_(lane, methods_of(wanted), wanted.seed, wanted.budget, wanted.share) {
  profiles_.push_back({0, Profile{}});
  runner_.set_profile(profiles_[0].second);
  for (const Method& method : runner_.methods())
    bounds_.emplace_back(method.counts() == Counts::kNothing ? 0 : static_cast<int>(method.chosen.depth));
}

void LaneCampaign::note_limit(const Tally& tally) {
  switch (tally.limit) {
    case 0: return;
    case kLaneNoMemory:
      error_ = fmt::format("the program needs more heap than a lane has ({} MB)", (kLaneHeapEnd - kLaneHeap) >> 20);
      return;
    case kLaneTooManyThreads:
      error_ = fmt::format("the program has more than {} threads at once", kLaneThreads);
      return;
    case kLaneLimit: error_ = "lanes have no more than " + lane_.text_at(tally.limit_info); return;
    default: error_ = "a thread came to no point for 2 seconds of CPU time: it computes for long, or for ever";
  }
}

// A failure that does not come again is not a finding: what it depends on is not only the schedule.
void LaneCampaign::tell_of(const FailureKind& kind, size_t& alike, const Tell& tell) {
  report::Finding found = replay(kind.first.index);
  if (lane_.header().status != kind.first.end.status || lane_.header().info != kind.first.info) {
    unconfirmed_ += kind.count;
    failing_ -= kind.count;
    all_.part[kind.part].failing -= kind.count;
    alike_.erase(kind.first.likeness);
    return;
  }
  const auto [known, is_new] = known_.try_emplace(found.signature, findings_.size());
  alike = known->second;
  if (!is_new) {
    findings_[known->second].schedules += kind.count;
    return;
  }
  found.id = fmt::format("{:04}", findings_.size() + 1);
  found.confirmed = true;
  found.schedules_before = kind.first.index;
  found.seconds = seconds_;
  findings_.push_back(row_of(found));
  findings_.back().schedules = kind.count;
  tell(found);
}

// Most failures are like one that was told of: only a new kind is run again, which takes much longer.
void LaneCampaign::judge(const FailureKind& kind, const Tell& tell) {
  failing_ += kind.count;
  const auto [alike, is_first] = alike_.try_emplace(kind.first.likeness, findings_.size());
  if (!is_first) {
    if (alike->second < findings_.size()) findings_[alike->second].schedules += kind.count;
    return;
  }
  if (findings_.size() < kMostFindings) tell_of(kind, alike->second, tell);
}

void LaneCampaign::take_in(const Tally& tally, const Tell& tell) {
  seconds_ = now() - begin_;
  all_.merge(tally);
  const Profile& profile = profiles_.back().second;
  for (size_t i = 0; i < bounds_.size(); ++i) {
    const PartTally& part = tally.part[i];
    if (bounds_[i].depth() == 0 || part.counted == 0) continue;
    const Shape shape = runner_.methods()[i].chosen.shape(profile.threads, profile.steps);
    bounds_[i].count({shape.threads, shape.steps, 0}, {.passed_over = part.passed_over}, part.counted);
  }
  std::vector<FailureKind> kinds(tally.kind, tally.kind + tally.kinds);
  std::ranges::sort(kinds, {}, [](const FailureKind& kind) { return kind.first.index; });
  for (const FailureKind& kind : kinds) {
    judge(kind, tell);
    if (failing_ > 0 && !wanted_.keep_going) return;
  }
}

report::Finding LaneCampaign::replay(uint64_t index) {
  const Ended end = runner_.again(index, trace_);
  report::Finding found = explain(lane_, end, trace_);
  found.policy = runner_.method_of(index).text;
  found.key.seed = wanted_.seed;
  found.key.index = index;
  found.key.profile = profiles_.back().second;
  return found;
}

report::Finding LaneCampaign::replay_path(const std::vector<uint32_t>& path) {
  trace_.clear();
  Scheduler scheduler(lane_, wanted_.budget);
  const Ended end = scheduler.run_path(path, &trace_);
  report::Finding found = explain(lane_, end, trace_);
  found.policy = "exhaustive";
  found.confirmed = true;
  found.id = "0001";
  return found;
}

bool LaneCampaign::learn(const Again& again) {
  if (again.threads != 0) {
    const Profile profile{.threads = static_cast<uint32_t>(again.threads),
                          .epoch = static_cast<uint32_t>(again.epoch),
                          .steps = again.steps};
    profiles_.push_back({0, profile});
    runner_.set_profile(profile);
    return true;
  }
  wanted_.schedules = again.index + 1;
  wanted_.seconds = 1e9;
  wanted_.keep_going = true;
  return explore([](const report::Finding&) {}, [](const report::Progress&) { return true; });
}

void LaneCampaign::begin_epoch(uint64_t index) {
  next_epoch_ = std::bit_ceil(index + 1);
  const Profile before = profiles_.back().second;
  const Profile next{
      .threads = std::max(2u, all_.threads), .epoch = before.epoch + 1, .steps = std::max<Step>(1, all_.steps)};
  if (next.threads == before.threads && next.steps == before.steps && before.epoch > 0) return;
  profiles_.push_back({index, next});
  runner_.set_profile(next);
}

bool LaneCampaign::may_continue(uint64_t more, const Watch& watch) {
  const double at = now();
  seconds_ = at - begin_;
  out_of_time_ |= at > deadline_;
  if (at - told_at_ < kBetweenLines) return !out_of_time_;
  report::Progress progress;
  progress.schedules = all_.schedules + more;
  progress.distinct = all_.distinct.estimate();
  progress.findings = findings_.size();
  progress.seconds = seconds_;
  progress.rate = static_cast<double>(progress.schedules - told_schedules_) / (at - told_at_);
  progress.limit = wanted_.seconds < 1e8 ? wanted_.seconds : 0;
  progress.most_schedules = wanted_.schedules;
  told_at_ = at;
  told_schedules_ = progress.schedules;
  return watch(progress) && !out_of_time_;
}

bool LaneCampaign::explore(const Tell& tell, const Watch& watch) {
  const uint64_t most = wanted_.schedules == 0 ? ~uint64_t{0} : wanted_.schedules;
  const double cpu_begin = cpu_of_all();
  begin_ = told_at_ = now();
  deadline_ = begin_ + wanted_.seconds;
  bool stopped = false;
  for (uint64_t index = 0; index < most && !stopped;) {
    if (index >= next_epoch_) begin_epoch(index);
    const uint64_t block = runner_.block();  // a group is of one epoch
    const uint64_t epoch_end = std::min(most, (std::max(next_epoch_, index + 1) + block - 1) / block * block);
    Tally tally;
    if (batches_ != nullptr && index >= kFirstBatch) {
      stopped = !may_continue(0, watch);
      if (!stopped) index = run_batch(index, epoch_end, tally);
      if (batch_error_) return false;
    } else if (wanted_.workers > 1 && batches_ == nullptr && epoch_end - index >= kWorthCopies) {
      const Crew::Done done = Crew(lane_, runner_, wanted_.workers)
                                  .run(
                                      index, epoch_end, !wanted_.keep_going,
                                      [&](uint64_t more) { return may_continue(more, watch); }, tally);
      if (done.crashed) error_ = "a worker process ended before it was done";
      stopped = !done.complete;
      index = epoch_end;
    } else {
      const auto stop = [&] { return stopped = !may_continue(tally.schedules, watch); };
      index = runner_.run(index, std::min(epoch_end, index + kAtOnce), !wanted_.keep_going, stop, tally);
    }
    take_in(tally, tell);
    note_limit(tally);
    if (!error_.empty() || (failing_ > 0 && !wanted_.keep_going)) break;
  }
  seconds_ = now() - begin_;
  cpu_seconds_ = cpu_of_all() - cpu_begin;
  return error_.empty();
}

void LaneCampaign::summarize(report::Summary& summary) const {
  summary.seed = wanted_.seed;
  summary.schedules = all_.schedules;
  summary.failing_schedules = failing_;
  summary.seconds = seconds_;
  summary.cpu_seconds = cpu_seconds_;
  summary.keep_going = wanted_.keep_going;
  summary.switching = {"lanes", "the program is one state machine"};
  summary.reset = {"copy", "the arena of a lane is written anew"};
  summary.points = {"sync", "atomic", "memory"};
  summary.threads = std::max(1u, all_.threads);
  summary.steps = summary.points_seen = std::max<Step>(1, all_.steps);
  summary.distinct_schedules = all_.distinct.estimate();
  summary.too_long = all_.too_long;
  summary.longest = all_.longest;
  summary.step_budget = wanted_.budget;
  summary.unconfirmed = unconfirmed_;
  summary.findings = findings_;
  for (size_t i = 0; i < bounds_.size(); ++i) {
    const PartTally& part = all_.part[i];
    const RateInterval interval = exact_interval(part.failing, part.schedules);
    report::PolicyCount count;
    count.policy = runner_.methods()[i].text;
    count.schedules = part.schedules;
    count.failing_schedules = part.failing;
    if (part.schedules > 0) count.hit_rate = static_cast<double>(part.failing) / static_cast<double>(part.schedules);
    count.hit_rate_low = interval.low;
    count.hit_rate_high = interval.high;
    if (part.failing > 0) count.first_after = part.first;
    summary.policy.push_back(count);
    if (bounds_[i].depth() == 0 || failing_ > 0 || all_.too_long > 0 || unconfirmed_ > 0) continue;
    const Claim claim = bounds_[i].claim(all_.timed ? 1.0 / policy::kEarlyTimers : 0);
    summary.bound.push_back({count.policy, bounds_[i].depth(), claim.threads, claim.steps, claim.counted,
                             claim.probability, claim.met.time_out, claim.met.passed_over, claim.met.starvation,
                             claim.met.watchdog});
  }
  for (const auto& [index, profile] : profiles_)
    summary.profiles.push_back({profile.epoch, index, profile.threads, profile.steps});
}

}  // namespace snarl::coseq
