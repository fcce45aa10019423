#include "policy/catalog.h"

#include <iterator>

#include "policy/follow.h"
#include "policy/near.h"
#include "policy/pct.h"
#include "policy/ppct.h"
#include "policy/random_walk.h"

namespace snarl {
namespace {

template <typename P>
Policy* make(Arena& arena) {
  return arena.make<P>();
}

constexpr ParamInfo kPctParams[] = {
    {"depth", "the bug depth d to aim at: d - 1 change points", 3, 1, 16, true},
};

constexpr ParamInfo kSleepParams[] = {
    {"chance", "x", 1.0/30, 0, 1, false},
    {"sleep", "milliseconds", 1, 0, 1000, false},
};

constexpr PolicyInfo kCatalog[] = {
    {"random", "at every point, each enabled thread is equally likely to run next", "none", "(folklore)", {},
     make<RandomWalk>, true},
    {"pct", "random priorities, the highest enabled thread runs; depth-1 random steps lower the running thread",
     "a bug of depth d is hit with probability >= 1/(n k^(d-1)) per schedule (n threads, k steps)",
     "Nagarakatte, Burckhardt, Martin, Musuvathi: Multicore acceleration of priority-based schedulers, PLDI 2012",
     kPctParams, make<Pct>, true},
    {"follow", "replays a recorded schedule", "the same schedule, or the first step that differs is named",
     "(replay)", {}, make<Follow>, false},
    {"near", "stays near a recorded schedule", "none", "(search)", {}, make<Near>, false},
    {"ppct", "x", "y", "z", kPctParams, make<Ppct>, true, true},
    {"none", "x", "y", "z", {}, make<Free>, true, true},
    {"random-sleep", "x", "y", "z", kSleepParams, make<RandomSleep>, true, true},
};

bool same(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}

}  // namespace

std::span<const PolicyInfo> policy_catalog() { return kCatalog; }

int policy_named(const char* name) {
  for (size_t i = 0; i < std::size(kCatalog); ++i)
    if (same(kCatalog[i].name, name)) return static_cast<int>(i);
  return -1;
}

}  // namespace snarl
