// Places where a thread computed without a schedule point while others waited for it, in this run or an earlier one of
// the same worker (wire::SpinPlaces). They are points from then on: whoever is stopped there makes way.
#pragma once

#include <cstdint>

namespace snarl::runtime::spin_places {

bool any();
bool is_known(uint64_t pc);
// By one thread at a time.
void learn(uint64_t pc);

}  // namespace snarl::runtime::spin_places
