// Which sanitizers' runtimes are in the process: they have ideas of their own about threads and their stacks.
#pragma once

namespace snarl {

// Once, before the first run. Unlike dlsym, which allocates the text of an error, it leaves the heap as it is.
void look_for_sanitizers();

bool has_asan();
bool has_tsan();

}  // namespace snarl
