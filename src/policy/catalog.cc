#include "policy/catalog.h"

#include <iterator>

#include "policy/atom_fuzzer.h"
#include "policy/delay_bound.h"
#include "policy/follow.h"
#include "policy/near.h"
#include "policy/obey.h"
#include "policy/pct.h"
#include "policy/plugin.h"
#include "policy/pos.h"
#include "policy/ppct.h"
#include "policy/preempt_always.h"
#include "policy/preempt_bound.h"
#include "policy/random_sleep.h"
#include "policy/random_walk.h"
#include "policy/surw.h"
#include "policy/unscheduled.h"
#include "policy/urw.h"

namespace snarl {
namespace {

template <typename P>
Policy* make(Arena& arena) {
  return arena.make<P>();
}

constexpr ParamInfo kPctParams[] = {
    {"depth", "the bug depth d to aim at: d - 1 change points", 3, 1, 16, true},
};

constexpr ParamInfo kPpctParams[] = {
    kPctParams[0],
    {"check", "1: every point makes sure that no low thread steps while a high one is enabled (slow)", 0, 0, 1, true, true},
};

constexpr ParamInfo kPreemptBoundParams[] = {
    {"bound", "b, the number of preemptions", 2, 0, 64, true},
};

constexpr ParamInfo kDelayBoundParams[] = {
    {"bound", "b, the most delays", 2, 0, 64, true},
};

constexpr ParamInfo kRandomSleepParams[] = {
    {"one_in", "one in so many points is a sleep", 30, 1, 1e9, true},
    {"sleep", "length of a sleep in milliseconds", 1, 0, 10000, false},
};

constexpr const char* kNeedlePoint =
    "Nagarakatte, Burckhardt, Martin, Musuvathi: Multicore acceleration of priority-based schedulers, PLDI 2012";
constexpr const char* kSurw = "Zhao, Wolff, Mathur, Roychoudhury: Selectively uniform concurrency testing, ASPLOS 2025";

constexpr PolicyInfo kCatalog[] = {
    {"random", "at every point, each enabled thread is equally likely to run next", "none", "(folklore)", {},
     make<RandomWalk>, true},
    {"pct", "random priorities, the highest enabled thread runs; depth-1 random steps lower the running thread",
     "a bug of depth d is hit with probability >= 1/(n k^(d-1)) per schedule (n threads, k steps)",
     kNeedlePoint, kPctParams, make<Pct>, true},
    {"follow", "replays a recorded schedule", "the same schedule, or the first step that differs is named",
     "(replay)", {}, make<Follow>, false},
    {"ppct", "as pct, but all enabled threads of priority above d may run at the same time; only the lower ones wait",
     "as pct: a bug of depth d is hit with probability >= 1/(n k^(d-1)) per schedule", kNeedlePoint, kPpctParams,
     make<Ppct>, true},
    {"preempt-always", "at every point another enabled thread, each equally likely, runs next", "none", kNeedlePoint,
     {}, make<PreemptAlways>, true},
    {"preempt-bound",
     "b random steps of 1..k are preemptions; otherwise a thread runs until it blocks, the next is random",
     "never more than b preemptions; each set of b steps is equally likely", kNeedlePoint, kPreemptBoundParams,
     make<PreemptBound>, true},
    {"atom-fuzzer",
     "random, but a thread about to take a lock that it gave back before is paused until another has taken that lock",
     "none", "Park, Sen: Randomized active atomicity violation detection in concurrent programs, FSE 2008", {},
     make<AtomFuzzer>, true},
    {"random-sleep", "all threads run free; at every point, with a chance of 1/one_in, the thread sleeps", "none",
     kNeedlePoint, kRandomSleepParams, make<RandomSleep>, true},
    {"none", "all threads run free, nobody is held back", "none", "(the machine's own schedule)", {}, make<Unscheduled>,
     true},
    {"pos",
     "pending events have random priorities, the highest enabled one is next; those in conflict with it are drawn anew",
     "every partial order of conflicting events has a chance",
     "Yuan, Yang, Gu: Partial order aware concurrency sampling, CAV 2018", {}, make<Pos>, true},
    {"urw", "a thread is as likely as it has events left, with those of its descendants that are not spawned yet",
     "without blocking, and with exact counts, every interleaving is equally likely", kSurw, {}, make<Urw>, true},
    {"surw", "urw over the accesses to one random object, the others by random priority of events",
     "as urw, for the order of the accesses to that object", kSurw, {}, make<Surw>, true},
    {"delay-bound",
     "threads take turns in order of creation, each until it blocks; at b random steps of 1..k a turn is lost",
     "never more than b delays; without one there is a single schedule",
     "Emmi, Qadeer, Rakamaric: Delay-bounded scheduling, POPL 2011", kDelayBoundParams, make<DelayBound>, true},
    {"obey", "random, but a thread at a target of the directive is held back until the target's sources have happened",
     "the run obeys, or says that it could not (a dead end)", kNeedlePoint, {}, make<Obey>, true, "directive"},
    {"plugin", "a shared library decides (include/snarl/policy.h)", "none", "(yours)", {}, make<Plugin>, false},
    {"near", "stays near a recorded schedule", "none", "(the search for a parallel run's failure)", {}, make<Near>, false},
};

bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

}  // namespace

std::span<const PolicyInfo> policy_catalog() { return kCatalog; }

Traits traits_of(uint32_t policy) {
  if (policy >= std::size(kCatalog)) return {};
  alignas(std::max_align_t) char memory[2048];  // more than the largest policy object
  Arena arena(memory, sizeof memory);
  return kCatalog[policy].make(arena)->traits();
}

int policy_named(const char* name) {
  for (size_t i = 0; i < std::size(kCatalog); ++i)
    if (same(kCatalog[i].name, name)) return static_cast<int>(i);
  return -1;
}

}  // namespace snarl
