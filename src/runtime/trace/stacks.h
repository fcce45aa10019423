// Stacks of the running thread, by the unwind tables of the program.
#pragma once

#include <cstdint>

namespace snarl::runtime {

struct StackRef {
  uint32_t first = 0;  // index into the wire's frames
  uint32_t depth = 0;
};

// Appends the calling thread's frames to the wire, from the one whose address is `from`
// (or the innermost, if that isn't found), at most `most`.
StackRef write_stack(uint64_t from, uint32_t most);

// The main thread's stacks end below this frame: what is above is not the run's (library mode). Null: they have no such
// end.
void set_outermost(const void* frame);

}  // namespace snarl::runtime
