// Writing an event as six words. Fields that are written one by one and then copied together make the processor wait
// until all of them have arrived (store forwarding), and an event is written at every step of a traced run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schedule/event.h"

namespace snarl {

// All fields of an event but its first four words.
struct EventDetails {
  uint32_t thread = 0;
  MemoryOrder order = MemoryOrder::kNone;
  Reason switched = Reason::kNone;
  bool late = false;
  uint32_t stack = 0, block = 0;
  uint32_t size = 0;
  OpKind kind = OpKind::kNone, after = OpKind::kNone;
  int16_t result = 0;
};

// What does not fit into its field is cut.
[[gnu::always_inline]] inline void write_event(Event& to, uint64_t step, uint64_t object, uint64_t value, uint64_t pc,
                                               const EventDetails& details) {
  const uint64_t who =
      uint64_t{details.thread & Event::kMostThreads} | uint64_t{static_cast<uint8_t>(details.order)} << 24 |
      uint64_t{static_cast<uint8_t>(details.switched)} << 27 | uint64_t{details.late} << 30 |
      uint64_t{details.stack & Event::kMostStacks} << 32 | uint64_t{details.block & Event::kMostBlocks} << 52;
  const uint64_t what = uint64_t{details.size} | uint64_t{static_cast<uint8_t>(details.kind)} << 32 |
                        uint64_t{static_cast<uint8_t>(details.after)} << 40 |
                        uint64_t{static_cast<uint16_t>(details.result)} << 48;
  static_assert(offsetof(Event, pc) == 24 && offsetof(Event, size) == 40 && offsetof(Event, result) == 46);
  to.step = step;
  to.object = object;
  to.value = value;
  to.pc = pc;
  auto* bytes = reinterpret_cast<char*>(&to);
  __builtin_memcpy(bytes + 32, &who, sizeof who);
  __builtin_memcpy(bytes + 40, &what, sizeof what);
}

}  // namespace snarl
