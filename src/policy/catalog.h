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

// A parameter that is a text to the end of the line: its commas are its own. It is kept as a policy's file.
struct TextInfo {
  const char* name;
  const char* form;  // what stands for it in help
  const char* help;
  bool (*is_right)(const char*) = nullptr;  // null: any text
};

// What tests hold a policy to, beside what they ask of all: a seed means one schedule, a recorded schedule replays,
// nothing is found in correct programs, and a policy without turns() draws different schedules.
struct Promises {
  bool searches = true;      // finds a lost update within a thousand schedules
  bool uniform = false;      // while nobody blocks, each enabled thread is equally likely at every point
  bool finds_all = false;    // finds every one of the small wrong programs, in a hundredth of its schedules or more
  bool depth_bound = false;  // finds a bug of depth d with 1/(n k^(d-1)) per schedule; d is its first parameter
};

struct PolicyInfo {
  const char* name;
  const char* rule;       // one sentence
  const char* guarantee;  // one sentence, or "none"
  const char* paper;
  std::span<const ParamInfo> params = {};
  Policy* (*make)(Arena&);
  bool for_users = true;                 // false: internal (follow)
  const char* file = nullptr;            // the parameter that names a file, and must be given; nullptr: none
  std::span<const TextInfo> texts = {};  // at most one of them is given: number PolicySpec::given, from 1
  // Tests and benches iterate the catalog, so that a new row is tested and measured without another edit.
  std::span<const double> trial = {};  // the first parameters as they take them; the others are the defaults
  Promises promises = {};
};

// What the policy needs, with these parameters.
Traits traits_of(const PolicySpec& spec);

std::span<const PolicyInfo> policy_catalog();

// The row of a policy that is in the catalog.
const PolicyInfo& info_of(const PolicySpec& spec);

// The policy with its default parameters, and as tests and benches take it.
PolicySpec default_spec(const PolicyInfo& info);
PolicySpec trial_spec(const PolicyInfo& info);

// The index of the policy of that name, or -1.
int policy_named(const char* name);

}  // namespace snarl::policy
