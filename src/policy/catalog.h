// The list of policies: the one place where a policy is named. The command line,
// `snarl policies`, the docs and the runtime all read it.
#pragma once

#include <span>

#include "base/arena.h"
#include "policy/policy.h"

namespace snarl::policy {

struct ParamInfo {
  const char* name;
  const char* help;
  double default_value;
  double min, max;
  bool whole;                   // only whole numbers
  bool quiet = false;           // shown only if it is not the default
  const char* words = nullptr;  // "a|b": written as a word, whose number is the value; nullptr: as a number
};

struct PolicyInfo {
  const char* name;
  const char* rule;       // one sentence
  const char* guarantee;  // one sentence, or "none"
  const char* paper;
  std::span<const ParamInfo> params;
  Policy* (*make)(Arena&);
  bool for_users;              // false: internal (follow)
  const char* file = nullptr;  // the parameter that names a file, and must be given; nullptr: none
  const char* text = nullptr;  // the parameter that is a text to the end of the line; nullptr: none
};

// What the policy needs, with these parameters.
Traits traits_of(const PolicySpec& spec);

std::span<const PolicyInfo> policy_catalog();

// The index of the policy of that name, or -1.
int policy_named(const char* name);

}  // namespace snarl::policy
