// What `snarl_bench hunt WORDS` is asked for, and who competes. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace snarl::bench {

// A policy, or several that take turns, with the effort that is made for it. A cell is one contender on one program.
struct Contender {
  std::string name;
  std::string arguments;  // of snarl run; empty: the default policies
  int seeds = 0, schedules = 0;
  double seconds = 0;       // the longest exploration, by the clock
  double cell_seconds = 0;  // of CPU time: once they are used up, the other seeds of a cell are left out
};

struct Request {
  bool tuning = true, reporting = true;  // which half
  std::string only;                      // a part of the programs' names; empty: all programs
  std::vector<Contender> contenders;     // ours is the first
  bool whole = true;                     // all contenders on all programs: the limits apply
};

// `[tuning|reporting|all] [POLICIES] [--seeds N] [PART-OF-A-PROGRAM'S-NAME]`, in any order. POLICIES are those that
// compete, with a comma between them and a + between those that take turns; `default` and `old` are names too.
Request read_request(std::span<char* const> words);

}  // namespace snarl::bench
