// The version of the rules that say what a step is. Schedules of another version have other step numbers, so that they
// can't be followed: files and replay strings carry it, and are refused if it differs.
#pragma once

#include <cstdint>

namespace snarl {

// 1: a yield let every other thread take a step first. 2: it is a step like any other.
constexpr uint32_t kRulesVersion = 2;

}  // namespace snarl
