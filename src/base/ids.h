// The small numbers that every part uses.
#pragma once

#include <cstdint>

namespace snarl {

// A thread's slot. A slot is reused when its thread has ended and was joined (or was detached), so it names a thread
// only while that lives. Its ordinal (0 for main, then in order of creation) and its name (see name_of_child) are never
// reused.
using ThreadId = uint16_t;
constexpr ThreadId kNoThread = 0xffff;
constexpr ThreadId kGoneThread = 0xfffe;  // owner of what an ended thread left locked
constexpr ThreadId kMainThread = 0;

// How many threads may be alive or unjoined at once in one tested process.
constexpr int kMaxThreads = 1024;

// The timer of thread t can also end a timed wait of t. A policy chooses it like a thread: slot kMaxThreads + t, and
// the ordinal of t with kTimerBit set.
// After these come the slots of alarms: deadlines that no thread waits for (alarm, timerfd, POSIX timers). They are
// timers as well: chosen like a thread, without code. Their ordinals have both bits.
constexpr int kMaxAlarms = 64;
constexpr int kMaxSlots = 2 * kMaxThreads + kMaxAlarms;
constexpr uint32_t kTimerBit = 0x80000000;
constexpr uint32_t kAlarmBit = 0x40000000;
constexpr ThreadId timer_of(ThreadId t) { return static_cast<ThreadId>(kMaxThreads + t); }
constexpr bool is_timer(ThreadId t) { return t >= kMaxThreads && t < kMaxSlots; }
constexpr ThreadId alarm_slot(int alarm) { return static_cast<ThreadId>(2 * kMaxThreads + alarm); }
constexpr bool is_alarm(ThreadId t) { return t >= 2 * kMaxThreads && t < kMaxSlots; }
constexpr int alarm_of(ThreadId slot) { return slot - 2 * kMaxThreads; }
constexpr ThreadId thread_of_timer(ThreadId t) { return static_cast<ThreadId>(t - kMaxThreads); }

// Counts the steps of a run, from 1, while two or more threads live. A step is a granted operation and the code up to
// the thread's next arrival (docs/rules.md, rule 1).
using Step = uint64_t;

}  // namespace snarl
