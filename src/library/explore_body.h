// Explores a body, or replays a schedule of it: the explorer of `snarl run`, with the test's own process in the place
// of a program. Single-threaded.
#pragma once

#include "library/body_result.h"
#include "library/memory.h"
#include "runtime/reset/body.h"
#include "schedule/replay_string.h"

namespace snarl::library {

Expected<BodyResult> explore_body(const Settings& settings, SharedMemory memory, const runtime::Body& body);

Expected<BodyResult> replay_body(const Settings& settings, SharedMemory memory, const runtime::Body& body,
                                 const Replay& recorded);

}  // namespace snarl::library
