// How one run is made: what the user sets, and what whoever orders the run adds.
//
// Crosses the wire and goes into records and files as it is: plain data without pointers. A new setting is a field
// here, a row of the table of options, and the place that uses it; one that a replay needs also has a row in
// settings_text.cc.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "schedule/points.h"

namespace snarl {

enum class TimeMode : uint32_t {
  kVirtual = 0,  // clocks and deadlines are the model's; sleeps and far deadlines end when no thread can run
  kFree,         // the same, but those end whenever the policy likes
  kReal,         // the machine's clocks; sleeps and timed waits keep their turn
  kPatient,  // as kVirtual, but deadlines, too, come when no thread can run: does a failure need one that was chosen?
};
constexpr const char* kTimeModes[] = {"virtual", "free", "real"};  // kPatient has no name: no schedule is recorded so

// Where what the program asks the system for at random comes from.
enum class Randomness : uint32_t {
  kSeed = 0,  // the run's seed and index, in a stream of its own for each thread
  kReal,      // the system
};
constexpr const char* kRandomModes[] = {"seed", "real"};

// When the watchdog takes the turn from a thread that reaches no schedule point.
struct Patience {
  uint32_t blocked_after = 10;  // asleep at so many looks in a row: blocked
  uint32_t unused = 0;
  uint64_t slice = 2'000'000'000;  // ns of CPU time without a point after which a thread makes way
};

// CPU time without a point after which a thread is stopped first, to see what it does.
constexpr uint64_t first_stop(const Patience& patience) {
  return patience.slice < 100'000'000 ? patience.slice : 100'000'000;
}

// How a run finds out which places access what several threads do.
enum class Learning : uint32_t {
  kNothing = 0,
  kOwners,   // by an owner for each 8 bytes: places that come after a second thread was there
  kAll,      // those before it too; slow
  kProfile,  // the same, and a thread that spins on what is not known to be shared comes to a point now and then
};

struct RunSettings {
  // The same for all runs of an exploration.
  PointSet points = kDefaultPoints;
  TimeMode time = TimeMode::kVirtual;
  Randomness random = Randomness::kSeed;
  bool misuse = true;            // look for it
  bool races = false;            // likewise, where the program has hooks at its accesses
  bool weak_races = false;       // one that only weak memory orders allow is a misuse, too
  Step step_budget = 1'000'000;  // 0: none
  uint64_t clock_base = 0;       // the program's wall clock at the start of the run, ns since 1970; 0: a fixed date
  Patience patience = {};

  // Chosen for each run.
  double fairness = 0;  // the chance that a step is not the policy's choice; 0: never
  Learning learning = Learning::kNothing;
  uint32_t listed_groups = 0;  // list the groups met, of these kinds: 1 << GroupBy
  bool list_pairs = false;     // list the pairs of sites met
  bool all_memory = false;     // every plain access is a point, not only those at shared places
  bool count = false;          // events are counted
  bool orders = false;         // the partial order is hashed; not of a parallel run
  bool trace = false;          // events and stacks are recorded
  bool unwind = false;         // of a traced run: each stack is unwound (runtime/trace/stacks.h)
  bool parallel = false;       // threads run at the same time: the policy must fill a plan
};
static_assert(std::is_trivially_copyable_v<RunSettings> && std::is_standard_layout_v<RunSettings>);

// All that were points in such a run.
constexpr PointSet points_of(const RunSettings& settings) {
  return settings.all_memory ? with_all_memory(settings.points) : settings.points;
}

}  // namespace snarl
