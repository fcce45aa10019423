// Which groups of events are good, bad or neutral for a failure, as data (schema snarl.classification/2,
// docs/formats/classification-json.md). Plain data; the text is made from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/hit_rate.h"

namespace snarl::report {

constexpr const char* kClassificationSchema = "snarl.classification/2";

enum class GroupClass : uint8_t { kGood = 0, kBad, kNeutral };
const char* name_of(GroupClass kind);

// Schedules with the group in the subset, or those without it.
struct Half {
  uint64_t schedules = 0;
  uint64_t failing = 0;
  double rate() const { return schedules == 0 ? 0 : static_cast<double>(failing) / static_cast<double>(schedules); }
  RateInterval interval() const { return exact_interval(failing, schedules); }
};

struct ClassifiedGroup {
  std::string text;  // as people call it
  Half with, without;

  // Good: noise makes failing likelier, by more than the two intervals leave to chance. Bad: less likely.
  GroupClass kind() const;
};

struct Classification {
  std::string policy;
  std::string group;  // "place", "context" or "variable"
  uint64_t seed = 0;
  uint64_t schedules = 0;
  uint64_t failing = 0;
  std::vector<ClassifiedGroup> groups;  // good ones first, then bad ones; the clearest first
};

// The order of Classification::groups.
void sort_groups(std::vector<ClassifiedGroup>& groups);

std::string classification_json(const Classification& classification);
std::string classification_text(const Classification& classification);

}  // namespace snarl::report
