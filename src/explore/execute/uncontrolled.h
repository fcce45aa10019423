// Is the schedule to blame at all? A program that fails whatever its schedule is has another problem.
#pragma once

#include "explore/execute/executor.h"
#include "schedule/run_key.h"

namespace snarl::explore {

// True if three runs of three without the runtime fail (or five seconds of them). A race that is lost often fails so by
// chance too, hence twenty controlled runs (or two seconds of them) with the policy must have failed as well.
bool fails_anyway(const Setup& setup, const PolicySpec& policy, uint64_t seed, Executors& executors, int cpu,
                  const Stop& stop);

// What the program writes to its standard output without us, if two runs that go well write the same; otherwise an
// error that says what differs. Another part of what is expected of it (Setup::expectations) must hold.
Expected<std::string> uncontrolled_output(const Setup& setup, Executors& executors, const Stop& stop);

}  // namespace snarl::explore
