// The list of policies: the one place where a policy is named. The command line,
// `snarl policies`, the docs and the runtime all read it.
#pragma once

#include <span>

#include "base/arena.h"
#include "policy/policy.h"

namespace snarl {

struct ParamInfo {
  const char* name;
  const char* help;
  double default_value;
  double min, max;
  bool whole;  // only whole numbers
  bool quiet = false;    // shown only if it is not the default
};

struct PolicyInfo {
  const char* name;
  const char* rule;       // one sentence
  const char* guarantee;  // one sentence, or "none"
  const char* paper;
  std::span<const ParamInfo> params;
  Policy* (*make)(Arena&);
  bool for_users;         // false: internal (follow)
  const char* file = nullptr;  // the parameter that names a file; nullptr: none
};

// What the policy with that index needs.
Traits traits_of(uint32_t policy);

std::span<const PolicyInfo> policy_catalog();

// The index of the policy of that name, or -1.
int policy_named(const char* name);

}  // namespace snarl
