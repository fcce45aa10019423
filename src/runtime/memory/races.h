// Data races of a serial run: whoever performs an access or an operation tells the detector (src/detect), and pairs of
// accesses that nothing orders are listed in the wire, and pairs of places where locks are taken in opposite orders.
// Which accesses are points does not matter here. Where only weak memory orders are to blame (RunSettings::weak_races),
// the pair is noted as a misuse at once.
//
// Called by the thread that has the turn. Nothing of it changes what the program does or which schedule it takes.
#pragma once

#include <cstdint>

#include "runtime/state/thread.h"
#include "schedule/operation.h"

namespace snarl::runtime::races {

extern bool is_on;  // in this run

// The detector's memory is reserved, if the runs of this process look for races: where no run is yet, so that each copy
// of the process has it as it is then, and drops what it adds.
void prepare();

// In library mode nobody tells of memory that is allocated, so none is marked as freed. Where runs share the process
// the detector is left out: emptying it for each run would take longer than the run. There, races are seen where
// threads stand at their accesses.
void begin_library(bool shared);

// A run begins. Main lives.
void begin();

// A plain access, about to be performed.
void access(Thread& self, OpKind kind, uint64_t pc, uint64_t address, uint64_t size);

// An atomic operation or a fence was performed.
void atomic(Thread& self, OpKind kind, MemoryOrder order, uint64_t pc, uint64_t address, uint32_t size);

// The other operations. `result` is the model's.
void performed(const Thread& self, const Op& op, int result);
void created(const Thread& creator, const Thread& child);
void ended(const Thread& thread);
void once_done(const Thread& self, uint64_t object);

// These bytes were allocated: nobody has accessed them.
void forget(uint64_t address, uint64_t size);
// The allocator got them back. What it was not asked for by free() may be anybody's.
void given_back(uint64_t address, uint64_t size);

// The program frees a block, at that place. Its bytes are nobody's until they are allocated again: an access is noted
// as a misuse, and so is freeing it again. Returns what is really to be freed now: in one run of four, blocks are held
// back for a while, so that they are not allocated again at once; 0: nothing yet.
uint64_t freed(Thread& self, uint64_t address, uint64_t size, uint64_t pc);

}  // namespace snarl::runtime::races
