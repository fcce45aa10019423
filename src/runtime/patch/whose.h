// Whether a loaded file is the program's own, or part of the C and C++ runtimes that its calls end in.
#pragma once

#include <link.h>

#include "wire/layout.h"

namespace snarl::runtime::patch {

// libc and its like, and we ourselves.
bool is_runtime(const wire::Module& module);

// Its atomics are not points: libc calls malloc with its own locks held, and a thread that is stopped there would hold
// them.
bool replaces_malloc(const dl_phdr_info& info);

}  // namespace snarl::runtime::patch
