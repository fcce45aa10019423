// What makes one run: everything a policy's choices may depend on.
#pragma once

#include <cstdint>
#include <span>

#include "schedule/decision.h"
#include "schedule/directive.h"
#include "schedule/run_key.h"
#include "schedule/run_settings.h"
#include "schedule/site_pair.h"

struct snarl_policy;  // include/snarl/policy.h

namespace snarl {

// How many events (steps that others may come between) a thread has, from profiling runs.
struct ThreadCount {
  uint64_t name = 0;    // 0: no entry
  uint64_t parent = 0;  // name of its creator; 0 for main
  uint64_t events = 0;
};

// How many of them are accesses to an object; its name is stable across runs (conduct/object_names.h).
struct ObjectCount {
  uint64_t thread = 0;  // name; 0: no entry
  uint64_t object = 0;
  uint64_t events = 0;
};

// The part of a profile that only some policies need (Traits::counts), frozen like the rest.
struct Counts {
  std::span<const ThreadCount> threads;  // by name
  std::span<const ObjectCount> objects;  // by object, then thread
};

// What the noise makers take together: events of one place, of one place with its callers, or of one variable.
enum class GroupBy : uint8_t { kPlace = 0, kContext, kVariable, kCount };
constexpr size_t kGroupings = static_cast<size_t>(GroupBy::kCount);

// A group that a run met, with what its name is made of in that process.
struct MetGroup {
  static constexpr size_t kCallers = 4;  // tells wrappers apart, and keeps a recursion from having a group per depth
  uint64_t name = 0;                     // stable across runs
  uint64_t address = 0;                  // place or object
  uint64_t callers[kCallers] = {};       // kContext: return addresses, innermost first; 0: no more
  GroupBy by = GroupBy::kPlace;
};

struct Run {
  RunKey key;
  RunSettings settings;
  std::span<const Decision> follow = {};  // the recording, for the policy `follow`
  Counts counts = {};
  std::span<const Constraint> directive = {};  // for the policy `obey`
  Obedience* obedience = nullptr;              // where it says how it went; null: it is not asked for
  const struct snarl_policy* plugin = nullptr;
  std::span<const uint64_t> groups = {};  // names of the groups known, in order (Traits::groups); frozen per epoch
  std::span<const SitePair> pairs = {};   // known, the least tried first (Traits::sites); frozen per epoch ...
  uint64_t pairs_since = 0;               // ... which began at this turn of the policy
  uint64_t meeting[2] = {};               // for the policy `meet`: places, in this process; 0: none
};

}  // namespace snarl
