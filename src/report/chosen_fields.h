// The JSON form of a Chosen. Only for the .cc files of this folder.
#pragma once

#include "report/summary.h"

namespace snarl::report {

template <typename Archive>
void fields(Archive& a, Chosen& c) {
  a("kind", c.kind);
  a("why", c.why);
}

}  // namespace snarl::report
