#include "library/exploration.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "base/hash.h"
#include "explain/signature.h"
#include "explore/campaign/campaign.h"
#include "explore/target/policy_spec.h"
#include "os/system.h"
#include "policy/catalog.h"
#include "record/settle.h"
#include "schedule/epochs.h"
#include "schedule/point_levels.h"

namespace snarl::library {
namespace {

constexpr int kProfilingRuns = 3;
constexpr uint64_t kNoEnd = uint64_t{1} << 62;

const char* text_of(wire::Left left) {
  switch (left) {
    case wire::Left::kThreads: return "the body returns while threads of it live, or are neither joined nor detached";
    case wire::Left::kLocks: return "the body returns while a lock is held";
    case wire::Left::kThreadLocals: return "the body makes thread_local objects of the main thread";
    case wire::Left::kTimers: return "the body makes timers";
    case wire::Left::kSignals: return "the body leaves signals pending";
    case wire::Left::kChildren: return "the body starts other processes";
    case wire::Left::kEnded: return "the body ends its thread";
    case wire::Left::kBehaviour: return "the body keeps state: the same schedule went otherwise when it was repeated";
    case wire::Left::kHeap: return "the body does not free all its memory";
    default: return "";
  }
}

bool is_same_run(const wire::BatchSample& sample, const record::RunRecord& again) {
  return sample.decision_hash == again.decision_hash && sample.steps == again.steps && !explain::fails(again);
}

}  // namespace

BodyExploration::BodyExploration(const Settings& settings, SharedMemory memory, const runtime::Body& body)
    : settings_(settings), runner_(settings, memory, body), stays_(settings.stays), began_(os::now_seconds()) {
  result_.reset_why = stays_ ? "the body leaves no state behind" : settings.stays_why;
}

double BodyExploration::elapsed() const { return os::now_seconds() - began_; }

bool BodyExploration::is_over() const {
  if (!result_.passed || exhausted_ || elapsed() > settings_.seconds) return true;
  return settings_.schedules != 0 && next_ >= settings_.schedules;
}

// How large the body is, which places are shared, and what policies that ask for counts need. A body that fails here is
// explored all the same.
Status BodyExploration::profile() {
  if (!learns_places()) return profile_with(Learning::kNothing, 0);
  if (Status first = profile_with(Learning::kProfile, 0); !first) return first;
  runner_.set_places(std::make_shared<const record::SharedPlaces>(seen_places_));
  return profile_with(Learning::kOwners, kProfilingRuns);
}

Status BodyExploration::profile_with(Learning learning, uint64_t first) {
  const PolicySpec random = {.policy = static_cast<uint32_t>(policy::policy_named("random"))};
  for (uint64_t i = first; i < first + kProfilingRuns && !crashed_; ++i) {
    BodyOrder order{.settings = settings_.setup.settings};
    order.key = {.seed = combine(settings_.seed, kProfilingSalt), .index = i, .policy = random};
    order.settings.count = true;
    order.settings.learning = learning;
    const Expected<record::RunRecord> record = runner_.run(order);
    if (!record) return record.error();
    if (record->outcome == OutcomeKind::kRefused) return Error{record->message, {}, 4};
    crashed_ = explain::fails(*record) || record->outcome == OutcomeKind::kNone;
    if (!crashed_) learn(*record);
  }
  return Done{};
}

void BodyExploration::learn(const record::RunRecord& record) {
  result_.threads = std::max(result_.threads, record.created);
  result_.steps = std::max(result_.steps, record.steps);
  all_steps_ = std::max(all_steps_, record.steps + record.accesses);
  counts_.merge(record.counts);
  seen_places_.merge(record.learned);
}

bool BodyExploration::learns_places() const { return snarl::learns_places(settings_.setup.settings.points); }

// Policies of which some turns have a point at every plain access: a bit for each.
uint32_t BodyExploration::policies_with_all_points() const {
  if (!learns_places() || all_steps_ == 0 || all_steps_ > most_all_memory_steps(settings_.setup.settings.step_budget))
    return 0;
  uint32_t bits = 0;
  for (size_t i = 0; i < settings_.policies.size(); ++i)
    if (explore::takes_all_points(settings_.policies[i])) bits |= 1u << i;
  return bits;
}

bool BodyExploration::needs_counts() const {
  return std::ranges::any_of(settings_.policies, [](const PolicySpec& p) { return policy::traits_of(p).counts; });
}

// A child plans the next epoch itself, if all it takes is n and k.
bool BodyExploration::needs_parent() const { return learns_places() || needs_counts(); }

// What policies count is learned anew, by runs of its own: those of a batch leave nothing but sums.
Status BodyExploration::begin_epoch() {
  const bool first = next_ == 0;
  if (!first && needs_counts())
    if (Status counted = profile_with(Learning::kNothing, 2 * kProfilingRuns + profile_.epoch * kProfilingRuns);
        !counted)
      return counted;
  runner_.set_counts(counts_);
  if (learns_places()) runner_.set_places(std::make_shared<const record::SharedPlaces>(seen_places_));
  profile_.epoch += first ? 0 : 1;
  profile_.threads = result_.threads;
  profile_.steps = std::max<Step>(result_.steps, 1);
  all_profile_ = profile_;
  all_profile_.steps = std::max<Step>(all_steps_, 1);
  all_memory_ = policies_with_all_points();
  boundary_ = next_boundary(boundary_);
  return Done{};
}

void BodyExploration::fork_from_now_on(const std::string& why) {
  stays_ = false;
  result_.reset_why = why;
}

// True: a place was seen to be shared that is no point yet. Its points will make schedules that are new.
bool BodyExploration::learn_places() {
  if (!learns_places()) return false;
  const size_t known = seen_places_.all().size();
  seen_places_.merge(runner_.learned());
  if (seen_places_.all().size() == known) return false;
  runner_.forget_seen_rows();
  return true;
}

void BodyExploration::tally(const wire::BatchState& state) {
  result_.schedules += state.schedules;
  result_.threads = std::max(result_.threads, state.most_threads);
  result_.steps = std::max(result_.steps, state.most_steps);
  all_steps_ = std::max(all_steps_, state.most_all_steps);
  const bool new_points = learn_places();
  next_ += state.schedules;
  note_too_long(state.too_long, state.longest);
  if (state.schedules != 0) losses_ = 0;
  exhausted_ |= state.is_exhausted != 0 && !new_points;
  if (state.boundary == 0) return;  // it did not come to its first run
  profile_ = state.profile;
  boundary_ = state.boundary;
}

// No policy has a say beyond the budget: so k is no more than that.
void BodyExploration::note_too_long(uint64_t schedules, Step longest) {
  if (schedules == 0) return;
  result_.too_long += schedules;
  result_.longest = std::max(result_.longest, longest);
  result_.steps = std::min(result_.steps, settings_.setup.settings.step_budget);
}

// Runs that shared a process must be what they are in one of their own. Of a batch that is one epoch, the last sample
// is enough: it had the most runs before it.
Status BodyExploration::check_samples(const wire::BatchOrder& batch, const wire::BatchState& state) {
  const uint32_t first = state.boundary == batch.boundary && state.samples > 0 ? state.samples - 1 : 0;
  for (uint32_t i = first; i < state.samples && stays_; ++i) {
    const wire::BatchSample& sample = state.sample[i];
    if (sample.key.index < batch.key.index || sample.key.index >= batch.end) continue;
    const Expected<record::RunRecord> again = runner_.run({.key = sample.key, .settings = sample.settings});
    if (!again) return again.error();
    if (!is_same_run(sample, *again))
      fork_from_now_on(fmt::format("the body keeps state: schedule {:#x}:{} went otherwise in a fresh process",
                                   sample.key.seed, sample.key.index));
  }
  return Done{};
}

Status BodyExploration::run_batch(bool one) {
  if (next_ >= boundary_)
    if (Status begun = begin_epoch(); !begun) return begun;
  wire::BatchOrder order;
  order.key = {.seed = settings_.seed, .index = next_, .profile = profile_};
  order.settings = settings_.setup.settings;
  order.end = settings_.schedules == 0 ? kNoEnd : settings_.schedules;
  if (needs_parent()) order.end = std::min(order.end, boundary_);
  if (one) order.end = next_ + 1;
  order.boundary = boundary_;
  order.threads = result_.threads;
  order.steps = result_.steps;
  order.policies = static_cast<uint32_t>(settings_.policies.size());
  std::copy(settings_.policies.begin(), settings_.policies.end(), order.policy);
  order.stays = order.repeats = stays_;
  order.watches_heap = settings_.watches_heap;
  order.looks_for_new = runner_.distinct() < wire::kDistinctBits / 2;  // fewer: a new one has a bit of its own
  order.learns = learns_places();
  order.all_memory = all_memory_;
  order.all_profile = all_profile_;
  Expected<BatchEnd> end = runner_.run(order, began_ + settings_.seconds);
  if (!end) return end.error();
  tally(end->state);
  if (end->failed) return look_at(std::move(*end->failed));
  if (stays_ && end->state.left != wire::Left::kNothing) fork_from_now_on(text_of(end->state.left));
  return stays_ ? check_samples(order, end->state) : Done{};
}

BodyOrder BodyExploration::order_to_follow(const record::RunRecord& failed) const {
  BodyOrder order{.key = failed.key, .settings = failed.settings};
  order.settings.trace = true;
  order.settings.learning = Learning::kNothing;
  if (failed.decisions_cut) return order;
  order.settings.fairness = 0;
  order.key.policy = {.policy = static_cast<uint32_t>(policy::policy_named("follow"))};
  order.follow = failed.decisions;
  return order;
}

// The failure must happen again in a fresh process. One that does not, and shared its process with earlier runs, may be
// theirs: the schedule is tried again, in a process of its own.
Status BodyExploration::look_at(record::RunRecord failed) {
  if (failed.outcome == OutcomeKind::kRefused) return Error{failed.message, {}, 4};
  if (failed.outcome == OutcomeKind::kNone && ++losses_ < record::kMostLosses) {
    fork_from_now_on("somebody killed the process of a schedule");
    return Done{};
  }
  record::settle_lost(failed);
  const std::vector<int> failures = explain::failures_of(failed);
  if (failures.empty()) {
    if (failed.outcome == OutcomeKind::kStepBudget)
      note_too_long(1, failed.steps);
    else
      fork_from_now_on("a schedule ended the process");  // it called exit(0)
    ++next_, ++result_.schedules;
    return Done{};
  }
  failed.subject = failures.front();
  Expected<record::RunRecord> again = runner_.run(order_to_follow(failed));
  if (!again) return again.error();
  if (failed.signal == SIGKILL) record::settle_lost(*again);
  const bool confirmed = explain::choose_subject(*again, explain::signature_of(failed));
  if (!confirmed && stays_) {
    fork_from_now_on(fmt::format("schedule {:#x}:{} failed only in a process that had run others", failed.key.seed,
                                 failed.key.index));
    return Done{};
  }
  ++next_, ++result_.schedules;
  result_.seconds = elapsed();
  fill_failure(result_, settings_, failed, confirmed ? &*again : nullptr);
  return Done{};
}

// What was tested, in one line: a body that was run under few schedules, or without the points that matter, is not to
// look like one that was tested well.
std::string BodyExploration::tested() const {
  const uint64_t wanted = settings_.replay.empty() ? settings_.schedules : 1;
  const bool cut = result_.passed && elapsed() > settings_.seconds && (wanted == 0 || result_.schedules < wanted);
  const std::string of = wanted == 0 || result_.schedules == wanted || !cut ? "" : fmt::format(" of {}", wanted);
  const std::string why = cut ? fmt::format(", all that {:.3g} s allow", settings_.seconds) : "";
  return fmt::format("{}{} {} in {:.3g} s{}; points: {}{}", result_.schedules, of,
                     result_.schedules == 1 ? "schedule" : "schedules", result_.seconds, why,
                     fmt::join(point_names(settings_.setup.settings.points), ", "), unseen());
}

// What is no point.
std::string BodyExploration::unseen() const {
  if (has_memory_points(settings_.setup.settings.points)) return "";
  if ((settings_.setup.settings.points & kAtomicPoints) == 0) return " (not atomics, not memory)";
  return fmt::format(" (not atomic loads, plain stores and memory: build with snarl c++); {} atomic sites",
                     runner_.patched_sites());
}

void BodyExploration::finish() {
  result_.seconds = elapsed();
  result_.points = points_text(settings_.setup.settings.points);
  result_.tested = tested();
  result_.distinct = runner_.distinct();
  result_.switching = runner_.on_fibers() ? "fibers" : "gates";
  result_.reset = stays_ ? "none" : "fork";
}

std::optional<Error> BodyExploration::nothing_tested() const {
  if (!result_.passed || result_.too_long == 0 || result_.too_long != result_.schedules) return std::nullopt;
  return Error{
      fmt::format("nothing was tested: each schedule took more than {} steps", settings_.setup.settings.step_budget),
      fmt::format("allow more (SNARL_STEPS={}), or give the body less to do", result_.longest + result_.longest / 4),
      4};
}

Expected<BodyResult> BodyExploration::explore() {
  if (Status profiled = profile(); !profiled) return profiled.error();
  const bool one_schedule = result_.threads == 1 && !crashed_;
  while (!is_over() && !(one_schedule && result_.schedules != 0))
    if (Status run = run_batch(one_schedule); !run) return run.error();
  if (const std::optional<Error> error = nothing_tested()) return *error;
  if (result_.passed && one_schedule) result_.note = "the body starts no thread: it has one schedule";
  if (result_.passed && exhausted_) result_.note = "exhausted: no policy drew a new schedule for long";
  finish();
  return std::move(result_);
}

Expected<BodyResult> BodyExploration::replay(const Replay& recorded) {
  BodyOrder order{.settings = settings_.setup.settings};
  order.key = {.seed = recorded.seed,
               .index = recorded.index,
               .policy = {.policy = static_cast<uint32_t>(policy::policy_named("follow"))}};
  order.settings.trace = true;
  order.follow = recorded.switches;
  order.settings.all_memory = (recorded.points & kAllMemoryPoints) != 0;
  runner_.set_places(std::make_shared<const record::SharedPlaces>(recorded.places));
  Expected<record::RunRecord> record = runner_.run(order);
  if (!record) return record.error();
  stays_ = false;
  result_.reset_why = "a replay has a process of its own";
  result_.schedules = 1;
  result_.seconds = elapsed();
  result_.threads = record->created;
  result_.steps = record->steps;
  const std::vector<int> failures = explain::failures_of(*record);
  if (record->outcome == OutcomeKind::kDivergence)
    result_.note =
        fmt::format("the body no longer follows the recorded schedule: it differs at step {}", record->got.step);
  else if (failures.empty() && record->switches < recorded.switches.size())
    result_.note = "the body no longer follows the recorded schedule: it came to its end before";
  if (!failures.empty()) {
    record->subject = failures.front();
    fill_failure(result_, settings_, *record, &*record);
  }
  finish();
  return std::move(result_);
}

}  // namespace snarl::library
