// The slots through which a file calls functions of other files. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace snarl::scan {

// Addresses of the jumps in the sections .plt, .plt.got and .plt.sec, by address; none where a file says nothing of its
// sections. The bytes are not trusted.
std::vector<uint64_t> plt_slots(std::string_view file);

}  // namespace snarl::scan
