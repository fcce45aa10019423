#include "coseq/host/policy_run.h"

#include <algorithm>

#include "base/hash.h"
#include "policy/catalog.h"
#include "policy/random_walk.h"
#include "schedule/access.h"

namespace snarl::coseq {
namespace {

constexpr size_t kPolicyMemory = 1 << 20;
constexpr int kProfilingRuns = 16;
constexpr uint64_t kManyInARow = 4096;  // steps of one thread, after which it is looked whether it spins

// Numbers of places and addresses of globals are the same in every run; those on heap and stacks are not.
uint64_t same_place(uint64_t place) { return place; }
uint64_t same_object(uint64_t address) { return address < kLaneThreadLocals ? address : 0; }

}  // namespace

struct PolicyRun::Learning {
  std::vector<ThreadCount> threads = std::vector<ThreadCount>(1 << 10);
  std::vector<ObjectCount> objects = std::vector<ObjectCount>(1 << 12);
  std::vector<SitePair> pairs = std::vector<SitePair>(kMaxPairs);
  std::vector<MetGroup> groups = std::vector<MetGroup>(conduct::EventGroups::kRoom);
  uint32_t pairs_met = 0, groups_met = 0;
  conduct::Counter counter{threads, objects};
};

PolicyRun::PolicyRun(Lane& lane, Scheduler& scheduler, uint64_t budget)
    : lane_(lane), scheduler_(scheduler), budget_(budget), memory_(kPolicyMemory) {
  view_.slots = slots_.data();
}

void PolicyRun::begin(const Run& run) {
  scheduler_.begin();
  Arena arena(memory_.data(), memory_.size());
  traits_ = policy::traits_of(run.key.policy);
  tells_ = traits_.watches || traits_.groups || traits_.sites || learning_ != nullptr;
  names_ = traits_.objects || traits_.sites || learning_ != nullptr;
  policy_ = policy::info_of(run.key.policy).make(arena);
  if (names_) objects_.begin(arena, same_object);
  if (names_) sites_.begin(arena, {same_place, nullptr});
  conduct::PairList pairs;
  conduct::GroupSources groups{.place_name = same_place};
  if (learning_ != nullptr) {
    pairs = {learning_->pairs, &learning_->pairs_met};
    groups.room = learning_->groups;
    groups.met = &learning_->groups_met;
    groups.learn = (1u << kGroupings) - 1;
  }
  if (traits_.groups || learning_ != nullptr) groups_.begin(arena, groups, traits_.group_by);
  pairs_.begin(arena, pairs);
  fairness_.begin(traits_.steady ? 0 : run.settings.fairness,
                  Rng::seed_of(run.key.seed, run.key.index, Stream::kFairness));
  view_.step = 0;
  view_.last = kMainThread;
  view_.last_ordinal = 0;
  view_.did = Op();
  view_.live.clear();
  view_.live.add(kMainThread);
  passed_over_.clear();
  parked_.clear();
  parked_until_ = 0;
  patience_ = 1;
  met_ = 1;
  in_a_row_ = 0;
  slots_[0] = Slot();
  slots_[0].name = kMainName;
  last_kind_[0] = OpKind::kNone;
  site_[0] = 0;
  children_[0] = 0;
  policy::Plan plan;
  policy_->begin(run, arena, plan);
}

// Calls of models stand in the models: their place is that of the caller, too.
Op PolicyRun::op_of(uint32_t slot) {
  const LaneThread& t = lane_.thread(slot);
  const LaneProgram& program = lane_.program();
  Op op;
  if (t.pc < program.function_count) {
    op.kind = OpKind::kStart;
    return op;
  }
  op.kind = static_cast<OpKind>(program.places[t.pc].kind);
  op.pc = t.pc;
  if (!is_memory_access(op.kind)) op.pc |= uint64_t{lane_.word(t.frame)} << 32;
  op.object = t.object;
  if (op.kind == OpKind::kAfter) op.after = last_kind_[slot];
  if (op.kind == OpKind::kReacquire) op.second = t.word2;
  if (is_memory_access(op.kind)) op.value = program.places[t.pc].size;
  op.timed = t.deadline != 0 && t.condition != 0;
  if (op.timed) op.deadline = t.deadline;
  return op;
}

uint64_t PolicyRun::object_name(uint32_t slot, const Op& op) {
  return names_ ? objects_.name(accessed_object(op), static_cast<ThreadId>(slot), slots_[slot].name) : 0;
}

void PolicyRun::arrive(uint32_t slot) {
  const auto t = static_cast<ThreadId>(slot);
  const Op& op = slots_[slot].pending = op_of(slot);
  if (!tells_) return;
  policy::Arrival arrival{t, slots_[slot].name, object_name(slot, op), 0, 0, op};
  if (traits_.groups || learning_ != nullptr)
    arrival.group = groups_.arrived(traits_.group_by, op, t, slots_[slot].name);
  if (names_) arrival.site = site_[slot] = sites_.name(op);
  if (traits_.watches) policy_->arrived(arrival);
}

void PolicyRun::meet_new_threads(uint32_t creator) {
  const LaneHeader& h = lane_.header();
  if (h.created == met_) return;
  for (uint32_t slot = 0; slot < h.slots; ++slot) {
    if (h.threads[slot].state != kThreadLives || h.threads[slot].ordinal < met_) continue;
    const auto child = static_cast<ThreadId>(slot);
    slots_[slot] = Slot();
    slots_[slot].ordinal = h.threads[slot].ordinal;
    slots_[slot].name = name_of_child(slots_[creator].name, children_[creator]++);
    site_[slot] = 0;
    children_[slot] = 0;
    last_kind_[slot] = OpKind::kNone;
    view_.live.add(child);
    passed_over_.remove(child);
    parked_.remove(child);
    if (names_) objects_.spawned(child);
    if (learning_ != nullptr) learning_->counter.spawned(slots_[slot].name, slots_[creator].name);
    policy_->spawned(view_, child);
    arrive(slot);
  }
  met_ = h.created;
}

// Who may be chosen: threads that can go on, and the deadline that may come.
void PolicyRun::look() {
  const LaneHeader& h = lane_.header();
  view_.enabled.clear();
  for (uint32_t slot = 0; slot < h.slots; ++slot) {
    const LaneThread& t = h.threads[slot];
    if (t.state != kThreadLives) continue;
    if (lane_.is_enabled(slot)) view_.enabled.add(static_cast<ThreadId>(slot));
  }
  if (view_.enabled.empty() || h.waiting == 0) return;
  if (const int slot = scheduler_.near_deadline(); slot >= 0) view_.enabled.add(timer_of(static_cast<ThreadId>(slot)));
}

ThreadId PolicyRun::choose() {
  if (view_.step >= parked_until_) parked_.clear();
  if (!passed_over_.empty() || !parked_.empty()) {
    const ThreadSet others = view_.enabled.minus(passed_over_).minus(parked_);
    if (others.empty() || is_timer(others.first())) {
      passed_over_.clear();
      parked_.clear();
    } else {
      view_.enabled = others;
    }
  }
  if (fairness_.is_due(view_.step)) {
    ThreadSet others = view_.threads();
    if (view_.last != kNoThread) others.remove(view_.last);
    if (const ThreadId other = fairness_.override_at(view_.step, others); other != kNoThread) return other;
  }
  verdict_.clear();
  policy_->decide(view_, verdict_);
  return verdict_.first != kNoThread && view_.enabled.has(verdict_.first) ? verdict_.first : view_.enabled.first();
}

// A thread that says so, or that comes back to the state that it was in, lets others go first.
void PolicyRun::make_way(uint32_t slot, const Op& op, std::vector<TraceStep>* trace) {
  const auto t = static_cast<ThreadId>(slot);
  is_yield(op.kind) ? passed_over_.add(t) : passed_over_.clear();
  if (++in_a_row_ % kManyInARow != 0 || !lane_.is_enabled(slot)) return;
  if (view_.enabled.size() < 2) {
    if (scheduler_.spins(slot, true, trace) && !scheduler_.wake_earliest()) lane_.end(kLaneLivelock, 0, 0, ~0u);
  } else if (scheduler_.spins(slot, false, trace)) {
    parked_.add(t);
    parked_until_ = lane_.header().steps + patience_;
    patience_ = std::min(patience_ * 2, kManyInARow);
  }
  view_.step = lane_.header().steps;
  if (lane_.thread(slot).state == kThreadLives) slots_[slot].pending = op_of(slot);
}

void PolicyRun::take(uint32_t slot, std::vector<TraceStep>* trace) {
  LaneHeader& h = lane_.header();
  const auto t = static_cast<ThreadId>(slot);
  const Op op = slots_[slot].pending;
  const bool alone = h.living < 2;
  if (trace == nullptr && h.threads[slot].pc < lane_.program().function_count) lane_.go(slot, 0);
  if (view_.last != t) in_a_row_ = 0;
  scheduler_.go(slot, 0, trace);
  ++slots_[slot].taken;
  last_kind_[slot] = op.kind;
  view_.step = h.steps;
  view_.last_ordinal = slots_[slot].ordinal;
  view_.did = op;
  const bool lives = h.threads[slot].state == kThreadLives && h.threads[slot].ordinal == slots_[slot].ordinal;
  view_.last = lives ? t : kNoThread;
  if (!lives) view_.live.remove(t);
  if (tells_) {
    const policy::Arrival step{t, slots_[slot].name, object_name(slot, op), 0, 0, op};
    if (learning_ != nullptr && !alone) learning_->counter.count(step.name, step.object);
    if (pairs_.is_on() && site_[slot] != 0 && !alone) pairs_.stepped(t, op, site_[slot]);
    if (traits_.watches) policy_->stepped(step, !alone);
  }
  meet_new_threads(slot);
  if (!lives) {
    passed_over_.clear();
    return;
  }
  arrive(slot);
  if (!alone) make_way(slot, op, trace);
}

void PolicyRun::loop(std::vector<TraceStep>* trace) {
  lane_.go(0, 0);  // to its first point
  arrive(0);
  for (;;) {
    look();
    const LaneHeader& h = lane_.header();
    if (view_.enabled.empty()) {
      if (!scheduler_.wake_earliest()) lane_.end(kLaneDeadlock, 0, 0, ~0u);
      continue;
    }
    if (h.steps >= budget_) lane_.end(kLaneTooLong, 0, 0, ~0u);
    const ThreadId next = h.living < 2 ? view_.enabled.first() : choose();
    if (is_timer(next))
      scheduler_.fire(thread_of_timer(next));
    else
      take(next, trace);
  }
}

Ended PolicyRun::run(const RunKey& key, std::vector<TraceStep>* trace) {
  Run run;
  run.key = key;
  run.settings.fairness = std::min(0.001, 0.05 / static_cast<double>(std::max<Step>(1, key.profile.steps)));
  run.counts = {thread_counts_, object_counts_};
  run.pairs = known_pairs_;
  run.groups = known_groups_[static_cast<size_t>(policy::traits_of(key.policy).group_by)];
  begin(run);
  lane_.run([&] { loop(trace); });
  return scheduler_.ended();
}

void PolicyRun::profile(uint64_t seed) {
  std::map<uint64_t, ThreadCount> threads;
  std::map<std::pair<uint64_t, uint64_t>, ObjectCount> objects;
  std::array<std::vector<uint64_t>, kGroupings> groups;
  Learning learning;
  learning_ = &learning;
  for (int i = 0; i < kProfilingRuns; ++i) {
    learning.counter = conduct::Counter(learning.threads, learning.objects);
    RunKey key{.seed = seed ^ 0x70726f66, .index = static_cast<uint64_t>(i)};
    key.policy.policy = static_cast<uint32_t>(policy::policy_named("random"));
    run(key, nullptr);
    for (const ThreadCount& count : learning.threads)
      if (count.name != 0 && count.events >= threads[count.name].events) threads[count.name] = count;
    for (const ObjectCount& count : learning.objects)
      if (count.thread != 0 && count.events >= objects[{count.object, count.thread}].events)
        objects[{count.object, count.thread}] = count;
    for (uint32_t at = 0; at < learning.groups_met; ++at)
      groups[static_cast<size_t>(learning.groups[at].by)].push_back(learning.groups[at].name);
  }
  learning_ = nullptr;
  thread_counts_.clear();
  object_counts_.clear();
  for (const auto& [name, count] : threads) thread_counts_.push_back(count);
  for (const auto& [key, count] : objects) object_counts_.push_back(count);
  known_pairs_.assign(learning.pairs.begin(), learning.pairs.begin() + learning.pairs_met);
  for (size_t by = 0; by < kGroupings; ++by) {
    std::ranges::sort(groups[by]);
    groups[by].erase(std::ranges::unique(groups[by]).begin(), groups[by].end());
    known_groups_[by] = std::move(groups[by]);
  }
}

}  // namespace snarl::coseq
