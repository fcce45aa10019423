// Code that accesses memory without telling of it: was a program file built with our hooks, all of it? Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "scan/code_image.h"

namespace snarl::scan {

// Where functions begin that access memory other than their own stack and constants, and call no hook; or that have
// atomic instructions of their own. What the compiler's start files add is left out. A function that the compiler has
// no reason to instrument may be among them (one that only reads a table of constants): who asks takes that for code
// without hooks, and is on the safe side. Not seen: plain accesses by inline assembly in a function that has hooks,
// functions without symbol and unwind information, and code that is no file's.
std::vector<uint64_t> uncovered_functions(const CodeImage& image);

}  // namespace snarl::scan
