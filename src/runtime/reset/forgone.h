// For tests: features of the kernel that reset rewind does without, as on a kernel that has none, or in a container
// that forbids them.
#pragma once

#include <stdlib.h>

#include "runtime/platform/text.h"

namespace snarl::runtime {

// SNARL_RT_REWIND_WITHOUT names some of: userfaultfd, scan, pagemap, dispatch.
inline bool forgoes(const char* feature) {
  const char* names = getenv("SNARL_RT_REWIND_WITHOUT");
  return names != nullptr && contains(names, feature);
}

}  // namespace snarl::runtime
