// Who is stuck in a deadlock, and who only waits for work?
#pragma once

#include "record/record.h"

namespace snarl::explain {

// How much the wait of a blocked thread says about the deadlock: the highest is the one to name.
enum class Stuck : int {
  kIdle = 0,     // waits for somebody to give it something to do: nobody waits for it
  kJoins,        // waits for the end of one that is blocked
  kJoined,       // as kIdle, but another thread waits for its end
  kMainWaits,    // main, without which the program does not end, waits for something that nobody holds; or a barrier
  kHeldByOther,  // waits for what another thread holds
  kCycle,        // waits for itself, by way of others or directly
};

Stuck stuck(const record::RunRecord& record, const wire::Thread& blocked);

}  // namespace snarl::explain
