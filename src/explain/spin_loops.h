// Names for people of the loops that threads were seen to spin in.
#pragma once

#include <string>
#include <vector>

#include "record/spin_loops.h"
#include "report/summary.h"
#include "symbolize/symbolizer.h"

namespace snarl::explain {

// Each place once; paths are shown relative to `directory`.
std::vector<report::SpinLoop> named_spin_loops(const record::SpinLoops& loops, symbolize::Symbolizer& symbolizer,
                                               const std::string& directory);

}  // namespace snarl::explain
