// Stacks of the running thread, by the unwind tables of the program. Written into the wire, each once.
#pragma once

#include <cstdint>
#include <span>

namespace snarl::runtime {

// The calling thread's stack, from the frame whose address is `from` on (or the innermost, if that isn't found), at
// most `most` frames. An id of the wire's stacks; 0: there is none, or no room for it.
uint32_t write_stack(uint64_t from, uint32_t most);

// The same for an event, as deep as an event's is, without unwinding if the stack is still as it was.
//
// A stack is kept with the addresses of its return addresses, by `from` and by where our own frame lies. If all of them
// hold the same again, from our own frame outwards, then each frame was called from the same place, and so lies where
// it lay before. (Unless a frame's size depends on data, and bytes that nobody has written since look like a return
// address: alloca can make that so, and then the older stack is taken for the new one.)
uint32_t stack_of_event(uint64_t from);

// The id of a stack that was found otherwise, innermost first. 0: there is no room for it: these take half of it at
// most.
uint32_t id_of_stack(std::span<const uint64_t> stack);

// The main thread's stacks end below this frame: what is above is not the run's (library mode). Null: they have no such
// end.
void set_outermost(const void* frame);

}  // namespace snarl::runtime
