// The levels of schedule points as people write them: "sync,atomic,memory".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "schedule/points.h"

namespace snarl {

// A list separated by commas; sync is always there, and memory brings atomic along. `option` is what an
// error calls it. Errors have exit code 2 and the nearest name.
Expected<PointSet> parse_points(const std::string& option, std::string_view text);

// {"sync", "atomic"}: each level, in order.
std::vector<std::string> point_names(PointSet points);

// "sync,atomic"; what parse_points takes.
std::string points_text(PointSet points);

// What needs hooks of that kind finds none (exit code 2).
Error no_hooks(const char* kind);

// Some of the points need hooks that the compiler puts in, and no file that the program loaded has any: it would pass
// for what was not tested (exit code 2).
Status check_hooks(PointSet points, bool hooked);

}  // namespace snarl
