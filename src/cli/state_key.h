// The key that marks of findings are made with (explore/campaign/mark.h): 32 random bytes in the user's state folder.
#pragma once

#include <string>

#include "base/error.h"

namespace snarl::cli {

// $XDG_STATE_HOME/snarl/key, or ~/.local/state/snarl/key. Empty: neither variable is an absolute path.
std::string key_path();

// The key there; it must be a regular file of ours that nobody else may read or write.
Expected<std::string> read_key(const std::string& path);

// The same, made first if there is none.
Expected<std::string> make_key(const std::string& path);

}  // namespace snarl::cli
