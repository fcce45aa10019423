// What is the same for every process of one exploration.
#pragma once

#include <string>
#include <vector>

#include "explore/standard_input.h"
#include "explore/target.h"
#include "schedule/run.h"
#include "wire/layout.h"

namespace snarl {

struct Setup {
  Target target;
  std::string runtime;                   // path of libsnarl_rt.so
  std::vector<std::string> environment;  // the user's, as it is
  const StandardInput* input = nullptr;
  wire::Reset reset = wire::Reset::kFork;
  double timeout = 10;                   // seconds, per run
  Step step_budget = 1'000'000;          // 0: none
  wire::Time time = wire::Time::kVirtual;
  uint64_t clock_base = 0;               // the program's wall clock at the start of every run; 0: the explorer's start
  wire::Patience patience;
};

}  // namespace snarl
