// What a test asks for, with the environment's last word.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "explore/target/setup.h"
#include "schedule/run.h"

struct snarl_options;

namespace snarl::library {

struct Settings {
  std::vector<PolicySpec> policies;  // none: the default ones
  uint64_t schedules = 10'000;       // 0: no limit
  double seconds = 10;
  uint64_t seed = 0;
  bool stays = true;      // schedules share a process, as long as the body leaves it as it was
  std::string stays_why;  // if not
  bool fibers = true;     // else gates
  bool orders = true;     // partial orders are counted
  bool watches_heap = false;
  bool patches = false;  // atomic instructions are points
  std::string name;      // of the test
  std::string filter;    // argument that makes the program run it alone
  std::string replay;    // "SN2-..."; empty: explore
  void (*prepare)() = nullptr;
  explore::Setup setup;  // plugins, directives, timeout, step budget
};

// Errors say which option or variable, and what it may be.
Expected<Settings> read_settings(const snarl_options& given);

}  // namespace snarl::library
