#include "report/classification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/json_archive.h"
#include "report/printable.h"

namespace snarl::report {
namespace {

double gain(const ClassifiedGroup& group) { return group.with.rate() - group.without.rate(); }

json json_of(const Half& half) {
  const RateInterval interval = half.interval();
  return {{"schedules", half.schedules},
          {"failing", half.failing},
          {"rate", half.rate()},
          {"low", interval.low},
          {"high", interval.high}};
}

// "12.30 % (9.10 to 16.02)"
std::string rate_text(const Half& half) {
  const RateInterval interval = half.interval();
  return fmt::format("{:6.2f} % ({:5.2f} to {:5.2f})", 100 * half.rate(), 100 * interval.low, 100 * interval.high);
}

uint64_t count_of(const Classification& c, GroupClass kind) {
  return static_cast<uint64_t>(
      std::ranges::count_if(c.groups, [&](const auto& group) { return group.kind() == kind; }));
}

}  // namespace

const char* name_of(GroupClass kind) {
  constexpr const char* kNames[] = {"good", "bad", "neutral"};
  return kNames[static_cast<size_t>(kind)];
}

GroupClass ClassifiedGroup::kind() const {
  const RateInterval on = with.interval(), off = without.interval();
  if (on.low > off.high) return GroupClass::kGood;
  return on.high < off.low ? GroupClass::kBad : GroupClass::kNeutral;
}

void sort_groups(std::vector<ClassifiedGroup>& groups) {
  std::ranges::stable_sort(groups, [](const ClassifiedGroup& a, const ClassifiedGroup& b) {
    if (a.kind() != b.kind()) return a.kind() < b.kind();
    if (const double x = std::fabs(gain(a)), y = std::fabs(gain(b)); x != y) return x > y;
    return a.text < b.text;
  });
}

std::string classification_json(const Classification& c) {
  json groups = json::array();
  for (const ClassifiedGroup& group : c.groups)
    groups.push_back({{"class", name_of(group.kind())},
                      {c.group, printable(group.text)},
                      {"with_noise", json_of(group.with)},
                      {"without_noise", json_of(group.without)}});
  const json whole = {{"schema", kClassificationSchema},
                      {"policy", c.policy},
                      {"group", c.group},
                      {"seed", wide_text(c.seed)},
                      {"schedules", c.schedules},
                      {"failing_schedules", c.failing},
                      {"groups", groups}};
  return whole.dump(2) + "\n";
}

std::string classification_text(const Classification& c) {
  std::string text = fmt::format("{} of {} schedules failed with noise in random halves of {} {}s\n", c.failing,
                                 c.schedules, c.groups.size(), c.group);
  if (c.groups.empty()) return text;
  text += fmt::format("\n  {:<8} {:<27} {:<27} {}\n", "class", "failing with noise there", "failing without", c.group);
  for (const ClassifiedGroup& group : c.groups)
    text += fmt::format("  {:<8} {:<27} {:<27} {}\n", name_of(group.kind()), rate_text(group.with),
                        rate_text(group.without), printable(group.text));
  text += fmt::format("\n{} good, {} bad, {} neutral", count_of(c, GroupClass::kGood), count_of(c, GroupClass::kBad),
                      count_of(c, GroupClass::kNeutral));
  text += c.failing == 0
              ? ": no schedule failed, so nothing can be told apart\n"
              : "; intervals are exact at 95 %, and a neutral one is called otherwise in about 1 of 200 cases\n";
  return text + fmt::format("policy {}, seed 0x{:x}\n", c.policy, c.seed);
}

}  // namespace snarl::report
