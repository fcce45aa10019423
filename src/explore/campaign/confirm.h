// Does a failure happen again, in a fresh process, when its decisions are followed?
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "explore/execute/executor.h"
#include "record/record.h"
#include "schedule/schedule.h"

namespace snarl::explore {

struct Confirmation {
  bool confirmed = false;                        // the same outcome with the same signature
  std::optional<record::RunRecord> replay = {};  // traced; none if no process could be made
  std::string doubt = {};                        // it happened again, but is not confirmed all the same: why
};

// What a fresh process follows to fail again.
Schedule schedule_to_follow(const record::RunRecord& failed, const Setup& setup);

// A parallel run's order is followed serially; where that does not show the failure, near it (bounded). If it was
// found, `failed` becomes the serial run, under its own name.
Confirmation confirm(record::RunRecord& failed, const Setup& setup, Executors& executors, int cpu, const Stop& stop);

}  // namespace snarl::explore
