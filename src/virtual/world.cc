#include "virtual/world.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <map>
#include <memory>

#include "conduct/quick.h"
#include "policy/catalog.h"
#include "policy/random_walk.h"

namespace snarl::virtual_world {

World::Point World::join(int thread) {
  Point point = on(OpKind::kJoin, 0);
  point.op.thread = static_cast<ThreadId>(thread);
  return point;
}

World::Point World::detach(int thread) {
  Point point = on(OpKind::kDetach, 0);
  point.op.thread = static_cast<ThreadId>(thread);
  return point;
}

// Starts the thread that the create of `parent` asks for; its slot, or -1 if there are too many.
int World::start(ThreadId parent, uint64_t pc) {
  const ThreadId child = conductor_.spawn(parent, false, pc);
  if (child == kNoThread) return -1;
  slots_used_ = std::max(slots_used_, child + 1u);
  tasks_[child] = Task();  // before the body that its frame refers to
  bodies_[child] = std::move(to_create_[parent]);
  tasks_[child] = bodies_[child](*this);
  return child;
}

// Takes the step that was granted to `t` and brings it to its next arrival.
conduct::Choice World::advance(ThreadId t) {
  const Op op = conductor_.model().pending(t);
  const int result = conductor_.take(t);
  if (op.kind == OpKind::kExit) return conductor_.leave(t);
  if (result == model::kInterrupted) {  // the handler does nothing
    conductor_.model().resume(t, conductor_.model().interruption(t));
    Op again = op;
    if (op.kind == OpKind::kSemWait) again.value = units_.at(op.object - address(0));
    return arrive(t, again);
  }
  return arrive(t, following(t, op, result));
}

// What the objects behind the model do in the same step; the operation's result.
int World::follow_model(const Op& op, int result) {
  const auto units = [&]() -> uint64_t& { return units_.at(op.object - address(0)); };
  switch (op.kind) {
    case OpKind::kSemPost: ++units(); return result;
    case OpKind::kSemWait: units() -= result == 0; return result;
    case OpKind::kSemTryWait:  // it may have changed since the arrival
      result = units() == 0 ? EAGAIN : 0;
      units() -= result == 0;
      conductor_.model().set_semaphore(op.object, units());
      return result;
    case OpKind::kKill:
      if (conductor_.model().live().has(op.thread)) conductor_.model().interrupt(op.thread);
      return result;
    default: return result;
  }
}

// What the thread is at after `op`, which was a step.
Op World::following(ThreadId t, const Op& op, int result) {
  result = follow_model(op, result);
  if (op.after == OpKind::kNone) results_[t] = result;  // the point after a create does not change what create returns
  if (op.kind == OpKind::kWait && result == 0)
    return Op{.kind = OpKind::kReacquire,
              .mutex = op.mutex,
              .timed = op.value == kTimedWait,
              .object = op.object,
              .second = op.second,
              .deadline = op.deadline,
              .pc = op.pc};
  if (op.kind == OpKind::kCreate) results_[t] = start(t, op.pc);
  grant(t);
  if (has_point_after(op.kind)) return Op{.kind = OpKind::kAfter, .after = op.kind, .object = op.object, .pc = op.pc};
  return resume(t);
}

Op World::resume(ThreadId t) {
  result_ = results_[t];
  tasks_[t].resume();
  if (pending_.kind == OpKind::kCreate) to_create_[t] = std::move(next_body_);
  return tasks_[t].done() ? Op{.kind = OpKind::kExit} : pending_;
}

// Steps that the conductor need not decide are taken on the way, if the test wants that.
conduct::Choice World::arrive(ThreadId t, Op op) {
  for (;;) {
    while (is_quiet(op.kind) && allowance_ > 0 && failure_.empty()) {
      --allowance_;
      if (op.after == OpKind::kNone) results_[t] = 0;
      op = resume(t);
    }
    settle();
    const bool may = uses_allowance_ && failure_.empty() && op.kind != OpKind::kExit;
    if (!may || !conductor_.step_at_once(t, op)) return conductor_.arrive(t, op);
    ++gone_on_;
    op = following(t, op, 0);
  }
}

void World::grant(ThreadId t) {
  running_ = t;
  granted_ = allowance_ = uses_allowance_ ? conductor_.allowance(t) : 0;
}

void World::settle() {
  const Step used = granted_ - allowance_;
  granted_ = allowance_ = 0;
  quiet_ += used;
  conductor_.add_quiet_steps(running_, used);
}

uint64_t World::clock() {
  settle();
  const uint64_t now = conductor_.model().read_clock();
  grant(running_);
  return now;
}

OutcomeKind World::conduct(ThreadId t) {
  conduct::Choice choice = arrive(t, resume(t));
  while (failure_.empty()) {
    switch (choice.turn) {
      case conduct::Turn::kGo: choice = advance(choice.next); break;
      case conduct::Turn::kAllEnded: return OutcomeKind::kOk;
      case conduct::Turn::kDeadlock: return OutcomeKind::kDeadlock;
      case conduct::Turn::kBudget: return OutcomeKind::kStepBudget;
      case conduct::Turn::kDiverged: return OutcomeKind::kDivergence;
      case conduct::Turn::kHang: return OutcomeKind::kHang;
      case conduct::Turn::kLivelock: return OutcomeKind::kLivelock;
      case conduct::Turn::kFull: return OutcomeKind::kRefused;
    }
  }
  return OutcomeKind::kAssert;
}

VirtualResult World::run(const VirtualProgram& program, policy::Policy& policy, const Run& run, Step budget,
                         model::Sleeps sleeps, const Watched& watched) {
  Arena arena(memory_.data(), memory_.size());
  VirtualResult result;
  uint32_t logged = 0;
  DecisionLog log(room_, logged, result.switches, result.hash);
  const auto same_everywhere = [](uint64_t address) { return address; };
  conductor_.begin(run, policy, arena, log, result.steps, budget, sleeps,
                   {.counter = watched.counter,
                    .static_name = same_everywhere,
                    .groups = {.place_name = same_everywhere},
                    .pairs = watched.pairs,
                    .order = run.settings.orders ? &result.order : nullptr});
  running_ = kMainThread;
  granted_ = allowance_ = quiet_ = gone_on_ = 0;
  tasks_[kMainThread] = program(*this);
  result.outcome = conduct(kMainThread);
  result.decisions.assign(room_.begin(), room_.begin() + logged);
  result.message = failure_;
  result.created = conductor_.model().created();
  result.trace = notes_;
  result.timeouts = conductor_.timeouts();
  result.chosen_deadlines = conductor_.chosen_deadlines();
  result.time = conductor_.model().now();
  result.expected = conductor_.expected();
  result.got = conductor_.got();
  result.overrides = conductor_.overrides();
  result.passed_over = conductor_.passed_over();
  result.quiet = quiet_;
  result.gone_on = gone_on_;
  return result;
}

void World::reset() {
  for (uint32_t t = 0; t < slots_used_; ++t) {
    tasks_[t] = Task();
    to_create_[t] = bodies_[t] = nullptr;
    results_[t] = 0;
  }
  slots_used_ = 1;
  value.fill(0);
  units_.fill(0);
  failure_.clear();
  notes_.clear();
  next_body_ = nullptr;
}

VirtualResult run_virtual(const VirtualProgram& program, const Run& run, Step budget, model::Sleeps sleeps) {
  alignas(std::max_align_t) char memory[2048];
  Arena arena(memory, sizeof memory);
  return run_virtual(program, *policy::policy_catalog()[run.key.policy.policy].make(arena), run, budget, sleeps);
}

namespace {

World& world() {
  static thread_local auto made = std::make_unique<World>();  // megabytes: made once, used again
  return *made;
}

}  // namespace

UsesAllowance::UsesAllowance() { world().uses_allowance_ = true; }
UsesAllowance::~UsesAllowance() { world().uses_allowance_ = false; }

VirtualResult run_virtual(const VirtualProgram& program, policy::Policy& policy, const Run& run, Step budget,
                          model::Sleeps sleeps, const Watched& watched) {
  VirtualResult result = world().run(program, policy, run, budget, sleeps, watched);
  world().reset();
  return result;
}

std::vector<uint32_t> takers(const VirtualResult& result, Step steps) {
  std::vector<uint32_t> who;
  auto next = result.decisions.begin();
  for (Step step = 0; step < steps; ++step) {
    const bool switched = next != result.decisions.end() && next->step == step;
    who.push_back(switched ? (next++)->to : who.empty() ? 0 : who.back());
  }
  return who;
}

VirtualCounts profile_virtual(const VirtualProgram& program, int runs) {
  std::map<uint64_t, ThreadCount> threads;
  std::map<std::pair<uint64_t, uint64_t>, ObjectCount> objects;
  VirtualCounts counts;
  counts.pairs.resize(kMaxPairs);
  uint32_t pairs = 0;
  for (int i = 0; i < runs; ++i) {
    std::vector<ThreadCount> by_thread(1 << 10);
    std::vector<ObjectCount> by_object(1 << 12);
    conduct::Counter counter(by_thread, by_object);
    policy::RandomWalk random;
    run_virtual(program, random, virtual_run("random", 0, 99, static_cast<uint64_t>(i), 2, 64), 1'000'000,
                model::Sleeps::kLast, {&counter, {counts.pairs, &pairs}});
    for (const ThreadCount& c : by_thread)
      if (c.name != 0 && c.events >= threads[c.name].events) threads[c.name] = c;
    for (const ObjectCount& c : by_object)
      if (auto& most = objects[{c.object, c.thread}]; c.events >= most.events) most = c;
  }
  counts.pairs.resize(pairs);
  for (const auto& [name, count] : threads) counts.threads.push_back(count);
  for (const auto& [key, count] : objects)
    if (count.thread != 0) counts.objects.push_back(count);
  return counts;
}

Run virtual_run(const char* policy, double parameter, uint64_t seed, uint64_t index, uint32_t n, Step k) {
  Run run;
  run.key.seed = seed;
  run.key.index = index;
  run.key.policy.policy = static_cast<uint32_t>(policy::policy_named(policy));
  run.key.policy.values[0] = parameter;
  run.key.profile = {.threads = n, .epoch = 0, .steps = k};
  return run;
}

Run trial_run(const policy::PolicyInfo& info, uint64_t seed, uint64_t index, uint32_t n, Step k) {
  static constexpr uint64_t kVariables[] = {1000, 1001, 1002, 1003};  // World::address of the first objects
  Run run = virtual_run(info.name, 0, seed, index, n, k);
  run.key.policy = policy::trial_spec(info);
  run.groups = kVariables;
  run.key.turn = index;
  return run;
}

}  // namespace snarl::virtual_world
