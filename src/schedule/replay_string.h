// A schedule as one word, "SN2-...", for replays of library mode: short enough for a test's output and a command line.
//
// Holds what the same build needs to do the same again: seed and index, from which the body's random numbers come,
// the switches, and which points there were. The number in front is that of the step rules (rules_version.h). Places of
// switches are left out. docs/formats/replay-string.md
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "schedule/decision.h"
#include "schedule/points.h"
#include "schedule/shared_place.h"

namespace snarl {

struct Replay {
  uint64_t seed = 0;
  uint64_t index = 0;
  uint16_t test = 0;  // hash of the test's name: the word is that test's, and no other's
  std::vector<Decision> switches;
  PointSet points = kSyncPoints | kUserPoints;
  std::vector<SharedPlace> places = {};  // in order: at these, plain accesses were points (kMemoryPoints)
};

uint16_t test_hash(std::string_view name);

std::string to_replay_string(const Replay& replay);

// An error says whether the word is not a replay string or a damaged one (exit code 2).
Expected<Replay> parse_replay_string(std::string_view text);

}  // namespace snarl
