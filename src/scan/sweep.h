// The linear way: decodes each function from its begin, one instruction after the other. The result is right unless the
// function contains data, which it takes for code. Pure.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scan/code_image.h"
#include "scan/code_marks.h"

namespace snarl::scan {

struct Swept {
  std::vector<uint64_t> sites;                      // where an atomic instruction seems to be, ascending by function
  std::vector<uint64_t> taken;                      // addresses that code takes, sorted: tables may be there
  std::vector<std::pair<uint64_t, size_t>> takers;  // with the number of the function that does so, sorted
};

// Marks starts up to the first break of each function. Marks as targets all addresses that an instruction, before or
// after the break, may lead to or refers to.
Swept sweep_functions(const CodeImage& image, CodeMarks& marks);

}  // namespace snarl::scan
