// What names one run: with the same key and the same settings, the same program takes the same steps.
//
// Crosses the wire and goes into records, files and reports as it is: plain data without pointers.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/ids.h"

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

// Threads whose attributes ask for another stack than that of the default size.
struct OwnStacks {
  uint64_t size = 0, guard_size = 0;  // of each
  uint32_t at_once = 0;               // as Profile::at_once
  uint32_t threads = 0;               // over the whole run; 0: there are none

  bool is_of(uint64_t its_size, uint64_t its_guard) const { return size == its_size && guard_size == its_guard; }
  bool operator==(const OwnStacks&) const = default;
};
constexpr int kMostOwnStacks = 3;

// The estimate of a program's size that a run was planned with; frozen per epoch
// (docs/rules.md, rule 13), so that (seed, index) means the same for any number of workers.
struct Profile {
  uint32_t threads = 2;  // n: threads over the whole run, main included
  uint32_t epoch = 0;
  Step steps = 64;  // k
  // Threads at once on stacks of the default size, main and those included that have ended and were not joined; 0: at
  // most kFewAtOnce.
  uint32_t at_once = 0;
  uint32_t unused = 0;
  OwnStacks own_stacks[kMostOwnStacks] = {};  // those that most threads ask for; without gaps
};
constexpr uint32_t kFewAtOnce = 33;

// Does the same number of threads on the same stacks have to be prepared?
inline bool need_same_stacks(const Profile& a, const Profile& b) {
  if (a.threads != b.threads || a.at_once != b.at_once) return false;
  for (int i = 0; i < kMostOwnStacks; ++i)
    if (!(a.own_stacks[i] == b.own_stacks[i])) return false;
  return true;
}

struct RunKey {
  uint64_t seed = 0;
  uint64_t index = 0;
  uint64_t turn = 0;  // how many runs the policy has had before in its campaign
  Profile profile = {};
  PolicySpec policy = {};  // its file is the last of all: whoever makes many runs leaves it out of most copies
};
static_assert(std::is_trivially_copyable_v<RunKey> && std::is_standard_layout_v<RunKey>);

}  // namespace snarl
