// What makes one run: everything a policy's choices may depend on.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "schedule/decision.h"

namespace snarl {

constexpr int kMaxPolicyParams = 8;

// A policy with its parameters, as plain data: the index into the catalog and the
// values in the order of the catalog's entry.
struct PolicySpec {
  uint32_t policy = 0;
  uint32_t unused = 0;
  double values[kMaxPolicyParams] = {};
};

// The estimate of a program's size that a run was planned with; frozen per epoch
// (spec 0, rule 13), so that (seed, index) means the same for any number of workers.
struct Profile {
  uint32_t threads = 2;  // n: threads over the whole run, main included
  uint32_t epoch = 0;
  Step steps = 64;       // k
};

struct Run {
  uint64_t seed = 0;
  uint64_t index = 0;
  PolicySpec policy;
  Profile profile;
  std::span<const Decision> follow;  // the recording, for the policy `follow`
};

}  // namespace snarl
