// What came of exploring a body.
#pragma once

#include <string>

#include "library/settings.h"
#include "record/record.h"

namespace snarl::library {

struct BodyResult {
  bool passed = true;
  uint64_t schedules = 0;
  uint64_t distinct = 0;
  double seconds = 0;
  uint32_t threads = 1;   // n, the most that was seen
  Step steps = 0;         // k
  uint64_t too_long = 0;  // of `schedules`: used up the step budget, and are no verdict
  Step longest = 0;       // the most steps that one of them took
  std::string kind, summary, report, replay;
  std::string reset, reset_why, switching;
  std::string note;
  std::string points;  // as in a schedule: "sync,atomic,user"
  std::string tested;  // how many schedules with which points, in one line
};

// Makes the result of a failure: `failed` as it was found, and its replay with events, if that failed in the same way.
void fill_failure(BodyResult& result, const Settings& settings, const record::RunRecord& failed,
                  const record::RunRecord* traced);

}  // namespace snarl::library
