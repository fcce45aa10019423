// Reads memory of the program that may not be there. A hook looks at what the program is about to access: a fault is to
// come from that access, at its place, and not from the look before it.
#pragma once

#include <cstdint>

namespace snarl::runtime::careful {

// Up to 8 bytes; 0 where nothing can be read, and for other sizes than 1, 2, 4 and 8 or more. On any thread.
uint64_t read(uint64_t address, uint64_t size);

// Faults come to recovers(): then a read costs a load. Before that, and under a debugger, it is a system call.
void faults_come_here();

// A fault at `context` was a careful read's, which now goes on without a value. Async-signal-safe.
bool recovers(void* context);

}  // namespace snarl::runtime::careful
