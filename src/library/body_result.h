// What came of exploring a body.
#pragma once

#include <string>

#include "library/settings.h"
#include "record/record.h"
#include "report/summary.h"

namespace snarl::library {

struct BodyResult {
  bool passed = true;
  uint64_t schedules = 0;
  uint64_t distinct = 0;
  report::SeenOrders orders;
  double seconds = 0;
  uint32_t threads = 1;  // n, the most that was seen
  Step steps = 0;        // k
  std::string kind, summary, report, replay;
  std::string reset, reset_why, switching;
  std::string note;
  std::string points;  // as in a schedule: "sync,atomic,user"
  std::string tested;  // how many schedules with which points, in one line
};

// What an exploration adds up to; what it found, and what is special about a body, is filled in later.
BodyResult result_of(const report::Summary& summary);

// What was tested, in one line: a body that was run under few schedules, or without the points that matter, is not to
// look like one that was tested well. `wanted`: schedules; 0: as many as possible. `sites`: atomic instructions of
// unmodified code that are points.
std::string tested_text(const BodyResult& result, const Settings& settings, uint64_t wanted, uint64_t sites);

// Makes the result of a failure: `failed` as it was found, and its replay with events, if that failed in the same way.
void fill_failure(BodyResult& result, const Settings& settings, const record::RunRecord& failed,
                  const record::RunRecord* traced);

}  // namespace snarl::library
