#include "runtime/parallel/run.h"

#include <algorithm>

#include "base/hash.h"
#include "base/state_marks.h"
#include "runtime/parallel/cores.h"
#include "runtime/parallel/desk.h"
#include "runtime/parallel/last_resort.h"
#include "runtime/parallel/noise.h"
#include "runtime/parallel/pace.h"
#include "runtime/parallel/threads.h"
#include "runtime/platform/cpu.h"
#include "runtime/platform/raw.h"
#include "runtime/state/refuse.h"
#include "runtime/state/state.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/own_stack.h"

namespace snarl::runtime::parallel {
namespace {

// Few enough blocks that nobody waits for the counter, small enough that what is left over in them does
// not matter to the plan, which draws its change steps from 1..k.
constexpr Step kBlocks = 4096, kLargestBlock = 64;

SNARL_RUN_STATE ParallelRun ordered;
SNARL_RUN_STATE std::span<const policy::Change> planned_changes;

void install() {
  libc_table = real();
  install_mutexes(real_table);
  install_condvars(real_table);
  install_rwlocks(real_table);
  install_semaphores(real_table);
  install_spinlocks(real_table);
  install_barriers(real_table);
  install_once(real_table);
  install_threads(real_table);
  install_joins(real_table);
  install_exits(real_table);
  install_sleeps(real_table);
  install_calls(real_table);
  install_cancel(real_table);
  install_cores(real_table);
}

}  // namespace

const ParallelRun& run() { return ordered; }
std::span<const policy::Change> changes() { return planned_changes; }

void begin(const Run& order, policy::Policy& policy, Arena& arena) {
  policy::Plan plan;
  if (!policy.begin(order, arena, plan)) refuse("this policy can't run threads in parallel");
  install();
  unpin();
  begin_cores();
  ordered.steps = order.key.profile.steps;
  ordered.fairness = order.settings.fairness;
  ordered.block = std::clamp<Step>(order.key.profile.steps / kBlocks, 1, kLargestBlock);
  ordered.pauses = {policy::bound_of(plan.pause_chance), plan.pause_nanoseconds};
  ordered.checks_order = plan.checks_order;
  ordered.noise = plan.noise != nullptr;
  begin_noise(plan.noise, arena);
  begin_last_resort();
  begin_desk(plan, Rng(order.key.seed, order.key.index, Stream::kFairness));
  planned_changes = plan.changes;
  begin_pace(plan);
  under_way.in_parallel = true;
  begin_threads();
}

void write_threads(Thread& self) {
  if (under_way.threads_written) return;
  under_way.threads_written = true;
  debugger::note_failure();
  engine::shared->state.failing_thread = self.ordinal;
  write_enabled();
  write_own_stack(self);
  if (engine::shared->state.outcome == OutcomeKind::kDeadlock) ask_for_stacks(self);
}

void end(Thread& self, OutcomeKind outcome) {
  engine::shared->state.outcome = outcome;
  write_threads(self);
  end_process();
}

}  // namespace snarl::runtime::parallel
