// Whether a loaded file is the program's own, or part of the C and C++ runtimes that its calls end in.
#pragma once

#include <link.h>

#include "wire/layout.h"

namespace snarl::patch {

// False for libc and its like, for us, and for whatever replaces malloc: libc calls that with its own locks held, and
// a thread that is stopped there would hold them.
bool is_the_programs(const dl_phdr_info& info, const wire::Module& module);

}  // namespace snarl::patch
