// Loops in which threads of a run were seen to spin without a schedule point.
#pragma once

#include <vector>

#include "record/event_groups.h"
#include "schedule/shared_place.h"

namespace snarl::record {

struct SpinLoop {
  FileAddress place;  // behind an instruction of the loop
  SharedPlace load;   // that is to be a point; module 0: there is none, so such loops are stopped each time
};
using SpinLoops = std::vector<SpinLoop>;

}  // namespace snarl::record
