#include "runtime/run/begin.h"

#include <cstddef>
#include <new>

#include "base/large.h"
#include "base/state_marks.h"
#include "policy/catalog.h"
#include "runtime/fiber/fibers.h"
#include "runtime/parallel/run.h"
#include "runtime/patch/apply.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/run/listed_thread.h"
#include "runtime/run/parts.h"
#include "runtime/run/plugins.h"
#include "runtime/run/sites.h"
#include "runtime/simulated/clock.h"
#include "runtime/simulated/outside.h"
#include "runtime/state/refuse.h"
#include "runtime/trace/groups.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime::engine {
namespace {

// As conductor_memory.
alignas(DecisionLog) SNARL_RUN_STATE char log_memory[sizeof(DecisionLog)];
alignas(conduct::Counter) SNARL_RUN_STATE char counter_memory[sizeof(conduct::Counter)];
alignas(64) SNARL_LARGE char arena_memory[1 << 20];

SNARL_PROCESS_STATE bool constructed = false;  // the conductor: library mode begins many runs with it

void reset_state(wire::State& state) {
  state.run = shared->command.run;
  constexpr size_t kBegin = offsetof(wire::State, steps), kEnd = offsetof(wire::State, message);
  constexpr size_t kHalf = (kEnd - kBegin) / 2;
  raw::clear<kHalf>(&state.steps);
  raw::clear<kEnd - kBegin - kHalf>(reinterpret_cast<char*>(&state.steps) + kHalf);
  state.parallel = shared->command.settings.parallel;
  state.message[0] = '\0';
  state.on_fibers.live = state.on_fibers.waits = state.on_fibers.given_up = 0;
  state.on_fibers.arrivals = 0;
  state.on_fibers.obstacle[0] = '\0';
  patch::publish();
}

// As an assignment, but for the name of a file, which few policies have.
void copy_key(RunKey& to, const RunKey& from) {
  raw::copy(&to, &from, offsetof(RunKey, policy.file));
  to.policy.file[0] = '\0';
  if (from.policy.file[0] != '\0') raw::copy(to.policy.file, from.policy.file, sizeof to.policy.file);
}

// In this process; 0: no file of it is loaded.
uint64_t pc_of(const SharedPlace& place) {
  for (uint32_t i = 0; i < shared->state.modules && place.module != 0; ++i)
    if (hash_file_name(shared->modules[i].path) == place.module) return shared->modules[i].bias + place.offset;
  return 0;
}

Run& ordered_run() {
  SNARL_RUN_STATE static constinit Run run;
  const wire::Command& command = shared->command;
  copy_key(run.key, command.key);
  run.settings = command.settings;
  run.follow = {shared->follow, command.follow_count};
  run.counts = {{shared->thread_counts, command.thread_counts}, {shared->object_counts, command.object_counts}};
  run.directive = {shared->directive, command.constraints};
  run.obedience = &shared->state.obedience;
  run.plugin = plugin_from(command.key.policy.file);
  run.groups = {shared->groups, command.groups};
  run.pairs = {shared->pairs, command.pairs};
  run.pairs_since = command.pairs_since;
  for (size_t i = 0; i < 2; ++i) run.meeting[i] = pc_of(command.meeting[i]);
  return run;
}

[[gnu::cold]] void construct_conductor() {
  new (conductor_memory) conduct::Conductor;
  constructed = true;
}

[[gnu::cold]] void begin_parallel_run(const Run& run, policy::Policy& policy, Arena& arena) {
  parallel::begin(run, policy, arena);
  instrumented::begin(*current);
  shared->state.phase.store(wire::Phase::kRunning, std::memory_order_release);
}

// A madvise begins at a page.
void make_pages_ready(std::span<Decision> room) {
  constexpr uint64_t kPage = 4096;
  const auto begin = reinterpret_cast<uint64_t>(room.data()) & ~(kPage - 1);
  raw::make_ready_to_write(begin, reinterpret_cast<uint64_t>(room.data() + room.size()));
}

void check_policy(const PolicySpec& policy) {
  if (policy.policy >= policy::policy_catalog().size())
    refuse("the explorer ordered a policy that this runtime does not have");
  const bool has_file = policy::policy_catalog()[policy.policy].file != nullptr;
  if (has_file && policy::policy_named("plugin") == static_cast<int>(policy.policy) &&
      plugin_from(policy.file) == nullptr)
    refuse("the policy's library could not be loaded into the program");
}

void begin_conductor(const Run& run, policy::Policy& policy, Arena& arena) {
  const wire::Command& command = shared->command;
  wire::State& state = shared->state;
  auto* log = new (log_memory) DecisionLog({shared->decisions, wire::kMaxDecisions}, state.decisions, state.switches,
                                           state.decision_hash, make_pages_ready);
  conduct::Counter* counter =
      command.settings.count ? new (counter_memory) conduct::Counter(shared->counted_threads, shared->counted_objects)
                             : nullptr;
  const conduct::Watching watching{counter,
                                   static_name,
                                   group_sources(),
                                   site_sources(),
                                   pair_list(),
                                   command.settings.trace,
                                   command.settings.orders ? &state.order_hash : nullptr};
  if (!constructed) construct_conductor();
  conductor().begin(run, policy, arena, *log, state.steps, command.settings.step_budget, clock::sleeps(), watching);
  conductor().set_outside(&real_outside());
  conductor().model().watch_misuse(command.settings.misuse);
}

Thread& make_main() {
  Thread& self = make_thread(kMainThread, 0);
  self.handle = pthread_self();
  self.joinable_handle = true;
  self.tid = static_cast<int>(*glibc::tid_word(self.handle));
  return self;
}

}  // namespace

void begin_run() {
  const wire::Command& command = shared->command;
  reset_state(shared->state);
  check_policy(command.key.policy);
  Arena arena(arena_memory, sizeof arena_memory);
  policy::Policy* policy = policy::policy_catalog()[command.key.policy.policy].make(arena);
  const Run& run = ordered_run();
  shared->state.turns = policy->turns(run);
  if (command.settings.parallel) return begin_parallel_run(run, *policy, arena);
  begin_conductor(run, *policy, arena);
  Thread& self = make_main();
  under_way.on_fibers = false;
  if (command.fibers != 0) fibers::begin(self);
  list_thread(self, 0);
  parts::begin(self);
  shared->state.phase.store(wire::Phase::kRunning, std::memory_order_release);
  current = &self;
}

}  // namespace snarl::runtime::engine
