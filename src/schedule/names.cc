#include <iterator>

#include "schedule/decision.h"
#include "schedule/directive.h"
#include "schedule/misuse.h"
#include "schedule/operation.h"
#include "schedule/outcome.h"

namespace snarl {
namespace {

constexpr const char* kOpKinds[] = {
    "none",
    "start",
    "exit",
    "create",
    "join",
    "detach",
    "lock",
    "trylock",
    "unlock",
    "mutex_init",
    "mutex_destroy",
    "wait",
    "reacquire",
    "signal",
    "broadcast",
    "cond_init",
    "cond_destroy",
    "once",
    "yield",
    "after",
    "end_process",
    "timeout",
    "sleep",
    "read_lock",
    "try_read_lock",
    "write_lock",
    "try_write_lock",
    "rw_unlock",
    "rw_init",
    "rw_destroy",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "sem_init",
    "sem_destroy",
    "barrier_wait",
    "barrier_pass",
    "barrier_init",
    "barrier_destroy",
    "futex_wait",
    "futex_woken",
    "futex_wake",
    "io",
    "cancel",
    "testcancel",
    "tryjoin",
    "consistent",
    "futex_requeue",
    "kill",
    "handler",
    "fork",
    "exec",
    "read",
    "write",
    "atomic_load",
    "atomic_store",
    "atomic_rmw",
    "fence",
    "pause",
    "function",
    "user",
    "free",
};
static_assert(std::size(kOpKinds) == static_cast<size_t>(OpKind::kCount));

constexpr const char* kReasons[] = {"none", "preempted", "blocked", "ended", "yielded"};
static_assert(std::size(kReasons) == static_cast<size_t>(Reason::kCount));

constexpr const char* kOutcomes[] = {"none",     "ok",          "exit",    "signal",     "assert",
                                     "deadlock", "step_budget", "timeout", "divergence", "refused",
                                     "hang",     "livelock",    "check",   "exception",  "wrong_output"};
static_assert(std::size(kOutcomes) == static_cast<size_t>(OutcomeKind::kCount));

constexpr const char* kObjects[] = {"memory", "mutex", "condition", "rwlock", "semaphore", "barrier", "futex", "once"};
static_assert(std::size(kObjects) == static_cast<size_t>(ObjectKind::kCount));

constexpr const char* kMisuses[] = {
    "none",           "unlock_not_owner", "unlock_not_locked",  "wait_not_owner",
    "destroy_locked", "destroy_waited",   "use_after_destroy",  "join_self",
    "join_twice",     "join_detached",    "semaphore_overflow", "condvar_two_mutexes",
    "fork_holding",   "exit_holding",     "use_after_free",     "race",
};
static_assert(std::size(kMisuses) == static_cast<size_t>(MisuseKind::kCount));
constexpr const char* kObediences[] = {"open", "satisfied", "violated", "dead_end"};
static_assert(std::size(kObediences) == static_cast<size_t>(Obedience::kCount));

bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

template <typename Kind, size_t N>
const char* name_in(const char* const (&names)[N], Kind kind) {
  return static_cast<size_t>(kind) < N ? names[static_cast<size_t>(kind)] : "unknown";
}

template <typename Kind, size_t N>
Kind kind_in(const char* const (&names)[N], const char* name) {
  for (size_t i = 0; i < N; ++i)
    if (same(names[i], name)) return static_cast<Kind>(i);
  return Kind::kNone;
}

}  // namespace

const char* name_of(OpKind kind) { return name_in(kOpKinds, kind); }
const char* name_of(Reason reason) { return name_in(kReasons, reason); }
const char* name_of(OutcomeKind kind) { return name_in(kOutcomes, kind); }
const char* name_of(ObjectKind kind) { return name_in(kObjects, kind); }
const char* name_of(MisuseKind kind) { return name_in(kMisuses, kind); }
const char* name_of(Obedience obedience) { return name_in(kObediences, obedience); }

OpKind op_kind_named(const char* name) { return kind_in<OpKind>(kOpKinds, name); }
Reason reason_named(const char* name) { return kind_in<Reason>(kReasons, name); }
OutcomeKind outcome_kind_named(const char* name) { return kind_in<OutcomeKind>(kOutcomes, name); }
MisuseKind misuse_kind_named(const char* name) { return kind_in<MisuseKind>(kMisuses, name); }

ObjectKind object_of(OpKind kind) {
  switch (kind) {
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock:
    case OpKind::kMutexInit:
    case OpKind::kMutexDestroy: return ObjectKind::kMutex;
    case OpKind::kWait:
    case OpKind::kReacquire:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
    case OpKind::kCondInit:
    case OpKind::kCondDestroy: return ObjectKind::kCondition;
    case OpKind::kReadLock:
    case OpKind::kTryReadLock:
    case OpKind::kWriteLock:
    case OpKind::kTryWriteLock:
    case OpKind::kRwUnlock:
    case OpKind::kRwInit:
    case OpKind::kRwDestroy: return ObjectKind::kRwlock;
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
    case OpKind::kSemInit:
    case OpKind::kSemDestroy: return ObjectKind::kSemaphore;
    case OpKind::kBarrierWait:
    case OpKind::kBarrierPass:
    case OpKind::kBarrierInit:
    case OpKind::kBarrierDestroy: return ObjectKind::kBarrier;
    case OpKind::kFutexWait:
    case OpKind::kFutexWoken:
    case OpKind::kFutexWake: return ObjectKind::kFutex;
    case OpKind::kOnce: return ObjectKind::kOnce;
    default: return ObjectKind::kNone;
  }
}

}  // namespace snarl
