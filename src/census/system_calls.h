// Which system call is of which class, for those who must know what a process leaves behind or waits for.
//
// Pure, without allocation, and safe in a signal handler: usable inside the tested process. Linux on x86-64.
#pragma once

#include <cstdint>

namespace snarl::census {

// What a call does, beyond asking: a set of these. A call of class 0 only asks.
using Classes = uint16_t;
constexpr Classes kMemory = 1 << 0;    // changes the process's own memory map: a copy of the process keeps the old one
constexpr Classes kProcess = 1 << 1;   // changes what the kernel keeps for the process: descriptors, handlers, limits
constexpr Classes kShared = 1 << 2;    // moves what copies of the process share: a file's position, bytes of a pipe
constexpr Classes kOutlives = 1 << 3;  // leaves something behind that outlives the process
constexpr Classes kBlocks = 1 << 4;    // may wait for somebody else
constexpr Classes kTime = 1 << 5;      // tells the time, waits for it, or changes it
constexpr Classes kCreates = 1 << 6;   // makes a thread or a process: its flags say which
constexpr Classes kEnds = 1 << 7;      // ends the thread or the process
constexpr Classes kUnknown = 1 << 15;  // nobody has looked at it yet: it may do anything

struct SystemCall {
  uint64_t number;
  const char* name;
  Classes classes;
};

// nullptr: it is not in the table.
const SystemCall* system_call(uint64_t number);

inline Classes classes_of(uint64_t number) {
  const SystemCall* call = system_call(number);
  return call == nullptr ? kUnknown : call->classes;
}

// Is all that the call changes as before in a copy of the process that was made before the call?
constexpr bool is_restorable(Classes classes) {
  return (classes & (kShared | kOutlives | kCreates | kEnds | kUnknown)) == 0;
}

}  // namespace snarl::census
