#include "policy/catalog.h"

#include <iterator>

#include "base/check.h"
#include "policy/atom_fuzzer.h"
#include "policy/delay_bound.h"
#include "policy/follow.h"
#include "policy/hold.h"
#include "policy/meet.h"
#include "policy/near.h"
#include "policy/noise_best.h"
#include "policy/noise_contention.h"
#include "policy/noise_random.h"
#include "policy/noise_separating.h"
#include "policy/noise_white.h"
#include "policy/obey.h"
#include "policy/outline.h"
#include "policy/pct.h"
#include "policy/plugin.h"
#include "policy/pos.h"
#include "policy/ppct.h"
#include "policy/preempt_always.h"
#include "policy/preempt_bound.h"
#include "policy/random_sleep.h"
#include "policy/random_walk.h"
#include "policy/speed.h"
#include "policy/surw.h"
#include "policy/unscheduled.h"
#include "policy/urw.h"

namespace snarl::policy {
namespace {

template <typename P>
Policy* make(Arena& arena) {
  return arena.make<P>();
}

constexpr ParamInfo kPctParams[] = {
    {"depth", "the bug depth d to aim at: d - 1 change points", 3, 1, 16, true},
    {"threads", "n, the threads to plan for; 0: as many as were seen", 0, 0, kMaxThreads, true, true},
    {"steps", "k, the steps to plan for; 0: as many as were seen", 0, 0, 1e15, true, true},
};

constexpr ParamInfo kPpctParams[] = {
    kPctParams[0],
    kPctParams[1],
    kPctParams[2],
    {"check", "1: every point makes sure that no low thread steps while a high one is enabled (slow)", 0, 0, 1, true,
     true},
};

constexpr ParamInfo kPreemptBoundParams[] = {
    {"bound", "b, the number of preemptions", 2, 0, 64, true},
};

constexpr ParamInfo kDelayBoundParams[] = {
    {"bound", "b, the most delays", 2, 0, 64, true},
};

constexpr ParamInfo kObeyParams[] = {
    {"priorities", "1: the free thread of the highest random priority goes first; 0: any of them", 0, 0, 1, true, true},
};

constexpr ParamInfo kSpeedParams[] = {
    {"events", "what a speed counts: schedule points, or calls of functions", 0, 0, 1, true, false, "point|function"},
    {"mode", "one thread at a time, or threads that run at the same time within an interval", 0, 0, 1, true, false,
     "serial|parallel"},
    {"k", "speeds of the sampled pairs go down to 1/2^k", 7, 1, 20, true, true},
    {"interval", "mode=parallel: L, the events of a thread at full speed before it waits for the others", 1024, 128,
     1e9, true, true},
};

constexpr TextInfo kSpeedTexts[] = {
    {"vector", "S,S,...", "speeds by hand, in order of creation; S,S@STEP:S,S changes them after that step",
     is_speed_list},
    {"basis", "auto|N,N,...", "the threads whose speeds are sampled, by number; auto: main and the two busiest others",
     is_basis_list},
};

constexpr TextInfo kContentionTexts[] = {{"variable", "NAME", "as reports call it"}};

constexpr ParamInfo kRandomSleepParams[] = {
    {"one_in", "one in so many points is a sleep", 30, 1, 1e9, true},
    {"sleep", "length of a sleep in milliseconds", 1, 0, 10000, false},
};

constexpr ParamInfo kStrength{"strength", "the chance of noise at an event of the chosen groups", 0.9, 0, 1, false};
constexpr ParamInfo kMake{
    "make", "the noise: yield or sleep while threads run at the same time, or a controlled switch",
    0,      0,
    2,      true,
    false,  "yield|sleep|switch"};
constexpr ParamInfo kSleep{"sleep", "make=sleep: its length in milliseconds", 1, 0, 10000, false, true};
constexpr ParamInfo kGroup{"group", "what is taken together: place, place with its callers, or shared variable",
                           0,       0,
                           2,       true,
                           false,   "place|context|variable"};

constexpr ParamInfo kNoiseWhiteParams[] = {kStrength, kMake, kSleep};
constexpr ParamInfo kNoiseRandomParams[] = {
    kStrength,
    kMake,
    kSleep,
    kGroup,
    {"pick", "the chance of a group to be chosen; 0: drawn for each run", 0, 0, 1, false}};
constexpr ParamInfo kNoiseBestParams[] = {
    kStrength,
    kMake,
    kSleep,
    kGroup,
    {"c", "how many of the n groups are bad, as a part of n", 1. / 3, 0, 1000, false}};
constexpr ParamInfo kNoiseSeparatingParams[] = {
    kStrength,
    kMake,
    kSleep,
    kGroup,
    {"family", "random: each group with 1/2; exact: a family that separates", 0, 0, 1, true, false, "random|exact"},
    {"k", "family=exact: how many good and how many bad groups are separated", 2, 1, 2, true}};

constexpr const char* kNoise =
    "Ben-Asher, Eytani, Farchi, Ur: Producing scheduling that causes concurrent programs to fail, PADTAD 2006";
constexpr const char* kNeedlePoint =
    "Nagarakatte, Burckhardt, Martin, Musuvathi: Multicore acceleration of priority-based schedulers, PLDI 2012";
constexpr const char* kSurw = "Zhao, Wolff, Mathur, Roychoudhury: Selectively uniform concurrency testing, ASPLOS 2025";

// Noise that repeats: controlled switches instead of the operating system's.
constexpr double kNoiseTrial[] = {kStrength.default_value, static_cast<double>(Make::kSwitch)};

constexpr PolicyInfo kCatalog[] = {
    {.name = "random",
     .rule = "at every point, each enabled thread is equally likely to run next",
     .guarantee = "none",
     .paper = "(folklore)",
     .make = make<RandomWalk>,
     .promises = {.uniform = true, .finds_all = true}},
    {.name = "pct",
     .rule = "random priorities, the highest enabled thread runs; depth-1 random steps lower the running thread",
     .guarantee = "a bug of depth d is hit with probability >= 1/(n k^(d-1)) per schedule (n threads, k steps)",
     .paper = kNeedlePoint,
     .params = kPctParams,
     .make = make<Pct>,
     .promises = {.finds_all = true, .depth_bound = true}},
    {.name = "follow",
     .rule = "replays a recorded schedule",
     .guarantee = "the same schedule, or the first step that differs is named",
     .paper = "(replay)",
     .make = make<Follow>,
     .for_users = false,
     .promises = {.searches = false}},
    {.name = "ppct",
     .rule = "as pct, but all enabled threads of priority above d may run at the same time; only the lower ones wait",
     .guarantee = "as pct: a bug of depth d is hit with probability >= 1/(n k^(d-1)) per schedule",
     .paper = kNeedlePoint,
     .params = kPpctParams,
     .make = make<Ppct>,
     .promises = {.finds_all = true, .depth_bound = true}},
    {.name = "preempt-always",
     .rule = "at every point another enabled thread, each equally likely, runs next",
     .guarantee = "none",
     .paper = kNeedlePoint,
     .make = make<PreemptAlways>},
    {.name = "preempt-bound",
     .rule = "b random steps of 1..k are preemptions; otherwise a thread runs until it blocks, the next is random",
     .guarantee = "never more than b preemptions; each set of b steps is equally likely",
     .paper = kNeedlePoint,
     .params = kPreemptBoundParams,
     .make = make<PreemptBound>},
    {.name = "atom-fuzzer",
     .rule = "random, but a thread about to take a lock that it gave back before is paused until another has taken "
             "that lock",
     .guarantee = "none",
     .paper = "Park, Sen: Randomized active atomicity violation detection in concurrent programs, FSE 2008",
     .make = make<AtomFuzzer>,
     .promises = {.uniform = true}},
    {.name = "random-sleep",
     .rule = "all threads run free; at every point, with a chance of 1/one_in, the thread sleeps",
     .guarantee = "none",
     .paper = kNeedlePoint,
     .params = kRandomSleepParams,
     .make = make<RandomSleep>,
     .promises = {.finds_all = true}},
    {.name = "none",
     .rule = "all threads run free, nobody is held back",
     .guarantee = "none",
     .paper = "(the machine's own schedule)",
     .make = make<Unscheduled>,
     .promises = {.searches = false}},
    {.name = "pos",
     .rule = "pending events have random priorities, the highest enabled one is next; those in conflict with it are "
             "drawn anew",
     .guarantee = "every partial order of conflicting events has a chance",
     .paper = "Yuan, Yang, Gu: Partial order aware concurrency sampling, CAV 2018",
     .make = make<Pos>,
     .promises = {.finds_all = true}},
    {.name = "urw",
     .rule = "a thread is as likely as it has events left, with those of its descendants that are not spawned yet",
     .guarantee = "without blocking, and with exact counts, every interleaving is equally likely",
     .paper = kSurw,
     .make = make<Urw>,
     .promises = {.finds_all = true}},
    {.name = "surw",
     .rule = "urw over the accesses to one random object, the others by random priority of events",
     .guarantee = "as urw, for the order of the accesses to that object",
     .paper = kSurw,
     .make = make<Surw>,
     .promises = {.finds_all = true}},
    {.name = "delay-bound",
     .rule = "threads take turns in order of creation, each until it blocks; at b random steps of 1..k a turn is lost",
     .guarantee = "never more than b delays; without one there is a single schedule",
     .paper = "Emmi, Qadeer, Rakamaric: Delay-bounded scheduling, POPL 2011",
     .params = kDelayBoundParams,
     .make = make<DelayBound>},
    {.name = "obey",
     .rule = "random, but a thread at a target of the directive is held back until the target's sources have happened",
     .guarantee = "the run obeys, or says that it could not (a dead end)",
     .paper = kNeedlePoint,
     .params = kObeyParams,
     .make = make<Obey>,
     .file = "directive",
     .promises = {.uniform = true, .finds_all = true}},
    {.name = "plugin",
     .rule = "a shared library decides (include/snarl/policy.h)",
     .guarantee = "none",
     .paper = "(yours)",
     .make = make<Plugin>,
     .for_users = false},
    {.name = "noise-white",
     .rule = "threads run on; at every event, with a chance of strength, there is noise: the thread gives way",
     .guarantee = "none",
     .paper = kNoise,
     .params = kNoiseWhiteParams,
     .make = make<NoiseWhite>,
     .trial = kNoiseTrial},
    {.name = "noise-random",
     .rule = "noise in a random subset of the groups: each with a chance that is drawn anew for each run",
     .guarantee = "with g good and b bad groups, chance p hits all good and no bad ones with p^g (1-p)^b",
     .paper = kNoise,
     .params = kNoiseRandomParams,
     .make = make<NoiseRandom>,
     .trial = kNoiseTrial},
    {.name = "noise-best",
     .rule = "noise in a random subset of the n groups: each with a chance of 1/(1 + c n)",
     .guarantee = "the best chance for one good group and c n bad ones",
     .paper = kNoise,
     .params = kNoiseBestParams,
     .make = make<NoiseBest>,
     .trial = kNoiseTrial},
    {.name = "noise-contention",
     .rule = "noise at one shared variable: each in turn, or the one that is named",
     .guarantee = "none",
     .paper = kNoise,
     .params = kNoiseWhiteParams,
     .make = make<NoiseContention>,
     .texts = kContentionTexts,
     .trial = kNoiseTrial},
    {.name = "noise-separating",
     .rule = "noise in half of the groups: random halves and their complements, or a family that separates",
     .guarantee = "family=exact: one subset of the family holds all of k good and none of k bad groups",
     .paper = kNoise,
     .params = kNoiseSeparatingParams,
     .make = make<NoiseSeparating>,
     .trial = kNoiseTrial},
    {.name = "hold",
     .rule = "surw or pos, but threads wait before one site until another, seen at the same object, has been executed",
     .guarantee = "none",
     .paper = "(ours)",
     .make = make<Hold>,
     .promises = {.finds_all = true}},
    {.name = "speed",
     .rule =
         "each thread advances in proportion to a speed: for pairs of threads 1:1/2 to 1:1/2^k and back, then random",
     .guarantee = "every pair of speeds is sampled in the first vectors; threads advance by them, to an event",
     .paper = "Chen, Jiang, Xu, Ma, Lu: Testing multithreaded programs via thread speed control, ESEC/FSE 2018",
     .params = kSpeedParams,
     .make = make<Speed>,
     .texts = kSpeedTexts},
    {.name = "near",
     .rule = "stays near a recorded schedule",
     .guarantee = "none",
     .paper = "(the search for a parallel run's failure)",
     .make = make<Near>,
     .for_users = false},
    {.name = "meet",
     .rule = "runs an outline of a recorded schedule, but threads wait before two accesses for each other",
     .guarantee = "none",
     .paper = "Sen: Race directed random testing of concurrent programs, PLDI 2008",
     .make = make<Meet>,
     .for_users = false,
     .promises = {.searches = false}},
    {.name = "outline",
     .rule = "runs an outline of a recorded schedule, as far as that is possible",
     .guarantee = "none",
     .paper = "(the search for the shortest schedule)",
     .make = make<OutlineRunner>,
     .for_users = false,
     .promises = {.searches = false}},
};

bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

}  // namespace

std::span<const PolicyInfo> policy_catalog() { return kCatalog; }

const PolicyInfo& info_of(const PolicySpec& spec) {
  SNARL_CHECK(spec.policy < std::size(kCatalog));
  return kCatalog[spec.policy];
}

PolicySpec default_spec(const PolicyInfo& info) {
  PolicySpec spec{.policy = static_cast<uint32_t>(&info - kCatalog)};
  for (size_t i = 0; i < info.params.size(); ++i) spec.values[i] = info.params[i].default_value;
  return spec;
}

PolicySpec trial_spec(const PolicyInfo& info) {
  PolicySpec spec = default_spec(info);
  for (size_t i = 0; i < info.trial.size(); ++i) spec.values[i] = info.trial[i];
  return spec;
}

Traits traits_of(const PolicySpec& spec) {
  if (spec.policy >= std::size(kCatalog)) return {};
  alignas(std::max_align_t) char memory[2048];  // more than the largest policy object
  Arena arena(memory, sizeof memory);
  return kCatalog[spec.policy].make(arena)->traits(spec);
}

int policy_named(const char* name) {
  for (size_t i = 0; i < std::size(kCatalog); ++i)
    if (same(kCatalog[i].name, name)) return static_cast<int>(i);
  return -1;
}

}  // namespace snarl::policy
