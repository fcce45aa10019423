// The small numbers that everything speaks of.
#pragma once

#include <cstdint>

namespace snarl {

// A thread's slot. Slots are reused when a thread has ended and was joined (or was
// detached), so a slot names a thread only while it lives; its ordinal (0 for main,
// then in order of creation) and its name (see name_of_child) are never reused.
using ThreadId = uint16_t;
constexpr ThreadId kNoThread = 0xffff;
constexpr ThreadId kGoneThread = 0xfffe;  // owner of what an ended thread left locked
constexpr ThreadId kMainThread = 0;

// How many threads may be alive or unjoined at once in one tested process.
constexpr int kMaxThreads = 1024;

// Counts the steps of a run (spec: a step is a granted operation and the code up to
// the thread's next arrival), from 1, while two or more threads live.
using Step = uint64_t;

}  // namespace snarl
