// For the tests of library mode: they see each run of a child, and may have the variables of the run put back before it
// (run_image.h). No program uses it.
#pragma once

#include "runtime/state/state.h"

extern "C" {

struct SnarlObservedRun {
  uint64_t index, steps, decision_hash;
  uint32_t threads, outcome;
};

// From now on, in this process and the children that runs are made in. `after` is called after each run that passes.
__attribute__((visibility("default"))) void snarl_observe_runs(int puts_back, void (*after)(const SnarlObservedRun*));
}

namespace snarl::runtime::observed_runs {

// In a child, before its first run; before each run; after each run that passes.
void begin();
void before();
void after();

}  // namespace snarl::runtime::observed_runs
