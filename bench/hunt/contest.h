// Runs contenders on programs: a cell on each of two cores at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "request.h"
#include "score.h"

namespace snarl::bench {

using Scores = std::vector<Score>;  // of one program, by contender

// The names of the wrong programs.
std::vector<std::string> hunt_programs();

// `done` is told of each program when the last of its cells is complete, one call at a time. The result is by program.
std::vector<Scores> compete(const std::vector<std::string>& programs, const std::vector<Contender>& contenders,
                            const std::function<void(const std::string& program, const Scores& scores)>& done);

}  // namespace snarl::bench
