// A number for the state that a thread was stopped in, and one for all memory that the program can write.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace snarl::runtime::fingerprint {

uint64_t of_registers(const ucontext_t& stopped);

// Without what belongs to us, and below the tops of these stacks. 0 if it can't be told: somebody else may write to
// some of it, or there is too much to look through.
struct Stacks {
  const uint64_t* tops;
  uint32_t count;
};
uint64_t of_memory(const Stacks& stacks);

}  // namespace snarl::runtime::fingerprint
