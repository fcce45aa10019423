// Groups of events in this process: what names them, and where those met are listed.
#pragma once

#include "conduct/event_groups.h"

namespace snarl::runtime {

conduct::GroupSources group_sources();

}  // namespace snarl::runtime
