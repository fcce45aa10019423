// The program's heap, as its allocator tells (src/heap): what was allocated where, for reports.
#pragma once

#include <cstdint>

#include "instrument/heap_table.h"

namespace snarl::runtime::heap {

using instrument::HeapBlock;

// A run begins. Blocks are only kept in traced runs.
void begin();

// The block that holds the address, listed in the wire; 1 + its index, or 0.
uint32_t list_block_of(uint64_t address);

// In a traced run: the allocator has given it to the program; has got it back.
void insert(const HeapBlock& block);
void remove(uint64_t address);

}  // namespace snarl::runtime::heap
