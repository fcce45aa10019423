// A policy in a shared library, looked at before it is loaded anywhere: does it fit this snarl?
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace snarl::explore {

// `bytes` is the whole file. An error is a sentence with a hint (exit code 2). Runs none of its code.
Status check_plugin(const std::string& path, std::string_view bytes);

}  // namespace snarl::explore
