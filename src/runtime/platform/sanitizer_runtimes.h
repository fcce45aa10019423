// Which sanitizers' runtimes are in the process: they have ideas of their own about threads and their stacks.
#pragma once

#include "runtime/platform/loaded_file.h"

namespace snarl::runtime {

// Once for each file that is loaded, before the first run (hooks/sanitizers.h).
void look_for_sanitizer_runtime(const LoadedFile& file);

bool has_asan();
bool has_tsan();

}  // namespace snarl::runtime
