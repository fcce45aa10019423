// How schedules and reports speak of threads and of their timers, by ordinal.
//
// In a Decision the timer of a thread is the thread's ordinal with kTimerBit set; everywhere
// else an ordinal is a thread's. Ordinals from a file or from the wire are any number, so they
// are compared and shown, never used as an index.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"

namespace snarl {

constexpr bool is_alarm_ordinal(uint32_t ordinal) {
  return (ordinal & (kTimerBit | kAlarmBit)) == (kTimerBit | kAlarmBit);
}
constexpr bool is_timer_ordinal(uint32_t ordinal) { return (ordinal & kTimerBit) != 0; }

// The thread itself, or the one that the timer belongs to; an alarm is the process's, shown with main.
constexpr uint32_t thread_ordinal(uint32_t ordinal) { return is_alarm_ordinal(ordinal) ? 0 : ordinal & ~kTimerBit; }

// "T2", "t2" for the timer of T2, or "a2" for an alarm: as in schedule files.
inline std::string ordinal_text(uint32_t ordinal) {
  if (is_alarm_ordinal(ordinal)) return "a" + std::to_string(ordinal & ~(kTimerBit | kAlarmBit));
  return (is_timer_ordinal(ordinal) ? "t" : "T") + std::to_string(thread_ordinal(ordinal));
}

}  // namespace snarl
