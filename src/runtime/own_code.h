// The code of the program's files in memory of this server's own. Each copy maps and unmaps hundreds of pages of it, and
// the kernel counts the users of each page: if the pages are those of the files, servers on different cores wait for
// each other.
#pragma once

#include <cstdint>

namespace snarl::own_code {

// In the server, before its nth copy, from 1: so late that whoever finds something soon does not pay for it.
void before_copy(uint64_t nth);

}  // namespace snarl::own_code
