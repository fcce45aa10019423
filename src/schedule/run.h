// What makes one run: everything a policy's choices may depend on.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "schedule/decision.h"
#include "schedule/directive.h"

struct snarl_policy;  // include/snarl/policy.h

namespace snarl {

constexpr int kMaxPolicyParams = 8;
constexpr int kMaxPolicyFile = 256;

// A policy with its parameters, as plain data: the index into the catalog and the
// values in the order of the catalog's entry.
struct PolicySpec {
  uint32_t policy = 0;
  uint32_t given = 0;  // plugin: how many values there are
  double values[kMaxPolicyParams] = {};
  char file[kMaxPolicyFile] = {};  // plugin: its file; obey: the directive's; noise-contention: the variable
};

// The estimate of a program's size that a run was planned with; frozen per epoch
// (docs/rules.md, rule 13), so that (seed, index) means the same for any number of workers.
struct Profile {
  uint32_t threads = 2;  // n: threads over the whole run, main included
  uint32_t epoch = 0;
  Step steps = 64;  // k
};

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
  uint64_t seed = 0;
  uint64_t index = 0;
  PolicySpec policy;
  Profile profile;
  double fairness = 0;                    // the chance that a step is not the policy's choice; 0: never
  std::span<const Decision> follow = {};  // the recording, for the policy `follow`
  Counts counts = {};
  std::span<const Constraint> directive = {};  // for the policy `obey`
  Obedience* obedience = nullptr;              // where it says how it went; null: nobody wants to know
  const struct snarl_policy* plugin = nullptr;
  bool parallel = false;                  // threads run at the same time: the policy must fill a plan
  uint64_t turn = 0;                      // how many runs the policy has had before in its campaign
  std::span<const uint64_t> groups = {};  // names of the groups known, in order (Traits::groups); frozen per epoch
};

}  // namespace snarl
