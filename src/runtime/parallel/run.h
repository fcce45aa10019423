// A parallel run: threads run at the same time with libc's own primitives; ours count their
// steps, hold the low ones back and know which threads are blocked.
#pragma once

#include <span>

#include "policy/policy.h"
#include "runtime/platform/futex_call.h"
#include "runtime/platform/real.h"
#include "runtime/state/thread.h"
#include "schedule/outcome.h"

namespace snarl::runtime::parallel {

// The policy `random-sleep`.
struct Pauses {
  uint64_t below = 0;  // a draw below this makes one
  uint64_t nanoseconds = 0;
};

struct ParallelRun {
  Step steps = 0;       // k, that were planned for
  double fairness = 0;  // the chance per point
  Step block = 1;       // step numbers that a thread takes at a time
  Pauses pauses;
  bool checks_order = false;  // every point is looked at
  bool noise = false;         // Plan::noise
};

const ParallelRun& run();
std::span<const policy::Change> changes();

// One thread lives: nothing counts as a step.
bool is_alone();

// Starts the run that the wire's command orders; the calling thread is its main thread.
void begin(const Run& run, policy::Policy& policy, Arena& arena);

// A point of a parallel run that can't block (schedule/operation.h, is_quiet).
void quiet_point(Thread& self, const Op& op);

// The last thing that a thread does.
void leave(Thread& self);

// What the report needs of a run that fails. Once per run.
void write_threads(Thread& self);

// The run ends with that outcome, and the process with it.
[[noreturn]] void end(Thread& self, OutcomeKind outcome);

// Each kind of primitive puts its functions in the place of libc's.
void install_mutexes(Real& table);
void install_condvars(Real& table);
void install_rwlocks(Real& table);
void install_semaphores(Real& table);
void install_spinlocks(Real& table);
void install_barriers(Real& table);
void install_once(Real& table);
void install_threads(Real& table);
void install_joins(Real& table);
void install_exits(Real& table);
void install_sleeps(Real& table);
void install_calls(Real& table);
void install_cancel(Real& table);
void install_cores(Real& table);

// A futex call of the program's own; -errno or the kernel's result.
long futex(Thread& self, const FutexCall& call);

}  // namespace snarl::runtime::parallel
