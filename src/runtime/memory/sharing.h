// Which places access what several threads access: a shadow owner for each 8 bytes of memory.
//
// The first thread that touches a granule owns it; a second one makes it shared, and the places that touch it are
// learned. They become points in a later epoch (docs/rules.md, rule 13): within a run nothing changes. Stack addresses
// are not taken to be private. Called by the thread that has the turn.
#pragma once

#include <cstdint>

#include "instrument/block.h"
#include "runtime/state/thread.h"
#include "wire/layout.h"

namespace snarl::runtime::sharing {

// Reserves the shadow and all tables; once per process. False: there is no room for a whole one, and a small one makes
// some places look shared that are not.
bool reserve();

// A run begins, in which so much is learned.
void begin(Learning learning);

// What the fast path looks at: it comes here for whatever is not its own thread's.
const instrument::Granule* owners();
uint64_t granule_mask();
uint64_t shadow_size();  // bytes that are reserved for it; few of them are ever touched

// Who the thread is to the shadow.
instrument::Granule mark_of(const Thread& thread);

// `self` is about to access these bytes; point or not.
void touch(const Thread& self, uint64_t pc, uint64_t address, uint64_t size);

// Nobody owns these bytes any more: they were allocated or freed.
void forget(uint64_t address, uint64_t size);

// Is it between here and the calling thread's own record, at the top of its stack?
bool is_on_own_stack(uint64_t address);

// The thread has ended: its stack may become another's.
void ended(const Thread& thread);

}  // namespace snarl::runtime::sharing
