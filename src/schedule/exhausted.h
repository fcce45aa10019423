// When a policy is taken to have no more to show: so many of its schedules in a row had been seen before.
#pragma once

#include <cstdint>

namespace snarl {

// (1 - 0.001)^6908 < 0.001: with 99.9 % confidence, less than 0.1 % of what it draws is unseen.
constexpr uint64_t kEnoughSeen = 6908;

}  // namespace snarl
