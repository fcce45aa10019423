// The instruction that calls and jumps through pointers must find first, where that is enforced.
#pragma once

#include <string_view>

namespace snarl::scan {

constexpr std::string_view kEndBranch = "\xf3\x0f\x1e\xfa";

}  // namespace snarl::scan
