// A switch: the only thing a schedule has to remember, as everything between two
// switches follows from the program.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "schedule/operation.h"

namespace snarl {

// Why the thread that ran before a switch does not go on. Append only.
enum class Reason : uint8_t {
  kNone = 0,
  kPreempted,  // it could have gone on; the policy chose another
  kBlocked,    // its pending operation is not enabled
  kEnded,      // it took its exit step
  kYielded,    // it only idled, and was passed over
  kCount,
};

const char* name_of(Reason reason);
Reason reason_named(const char* name);  // kNone if there is none of that name

// "After `step` steps, at `from`'s arrival at (kind, pc), `to` runs." Threads are
// ordinals. Lives in the wire: plain data, fixed layout.
struct Decision {
  Step step = 0;
  uint64_t pc = 0;   // return address in the recording process; 0: unknown
  uint64_t nth = 0;  // steps that `from` had taken: with (from, pc) the event's name
  uint32_t from = 0;
  uint32_t to = 0;
  OpKind kind = OpKind::kNone;
  Reason reason = Reason::kNone;
  uint8_t unused[6] = {};
};
static_assert(sizeof(Decision) == 40);

}  // namespace snarl
