// Memory for trampolines, and code that may be written for a moment. Never writable and executable at once.
#pragma once

#include <cstdint>

namespace snarl::runtime::patch {

// `bytes` within reach of a jump from everywhere in [begin, end); writable. Null: there is none.
uint8_t* map_near(uint64_t begin, uint64_t end, uint64_t bytes);

// Whether the system lets code run that was changed after it was loaded; some don't (SELinux's execmod, a seccomp
// filter). Tried with a page of our own, as code that was opened for writing and can't be closed again is lost.
bool may_change_code();

// Gives the pages of [begin, end) that protection (PROT_*). False: the system refuses.
bool protect(uint64_t begin, uint64_t end, int protection);

}  // namespace snarl::runtime::patch
