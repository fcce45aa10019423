// The instruction that an indirect call or jump must land on, where that is enforced.
#pragma once

#include <string_view>

namespace snarl::scan {

constexpr std::string_view kEndBranch = "\xf3\x0f\x1e\xfa";

}  // namespace snarl::scan
