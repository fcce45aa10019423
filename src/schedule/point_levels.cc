#include "schedule/point_levels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"

namespace snarl {
namespace {

struct Level {
  const char* name;
  PointSet bit;
  PointSet with;  // what it brings along
};

// A data race is between accesses of which some may be atomic: without those, memory points show half of it.
constexpr Level kLevels[] = {
    {"sync", kSyncPoints, 0},
    {"atomic", kAtomicPoints, 0},
    {"memory", kMemoryPoints, kAtomicPoints},
    {"memory:all", kAllMemoryPoints, kAtomicPoints},
    {"function", kFunctionPoints, 0},
    {"user", kUserPoints, 0},
};

Error unknown_level(const std::string& option, std::string_view word) {
  std::vector<std::string> names;
  for (const Level& level : kLevels) names.emplace_back(level.name);
  const std::string near = nearest(word, names);
  const std::string all = fmt::format("expected some of: {}", fmt::join(names, ", "));
  return Error{fmt::format("{}: no level of points is named \"{}\"", option, word),
               near.empty() ? all : fmt::format("did you mean {}? {}", near, all), 2};
}

}  // namespace

Expected<PointSet> parse_points(const std::string& option, std::string_view text) {
  PointSet points = kSyncPoints;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const auto* level = std::ranges::find_if(kLevels, [&](const Level& l) { return word == l.name; });
    if (level == std::end(kLevels)) return unknown_level(option, word);
    points |= level->bit | level->with;
    at = end + 1;
  }
  return points;
}

std::vector<std::string> point_names(PointSet points) {
  std::vector<std::string> names;
  for (const Level& level : kLevels)
    if ((points & level.bit) != 0) names.emplace_back(level.name);
  return names;
}

Error no_hooks(const char* kind) {
  return Error{fmt::format("no {} hooks; build with snarl c++", kind),
               "snarl c++ takes the arguments of your compiler; it is enough to build the code in question so, a "
               "library for instance",
               2};
}

Status check_hooks(PointSet points, bool hooked) {
  const bool memory = has_memory_points(points);
  if (hooked || !(memory || (points & kFunctionPoints) != 0)) return Done{};
  return no_hooks(memory ? "memory" : "function");
}

std::string points_text(PointSet points) { return fmt::format("{}", fmt::join(point_names(points), ",")); }

}  // namespace snarl
