// Policies that come as shared libraries: loaded into the tested process before its main.
#pragma once

#include <snarl/policy.h>

namespace snarl::runtime {

// Loads those that the wire's options name; not under control yet, so libc may do what it likes.
void load_plugins();

// The policy of that file; null if it could not be loaded, or is of another ABI.
const struct snarl_policy* plugin_from(const char* path);

}  // namespace snarl::runtime
