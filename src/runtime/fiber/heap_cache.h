// libc's malloc keeps a cache of freed blocks for each thread. All fibers have the carrier's: they are one OS thread,
// and a block that one thread allocates and another frees comes back by it, without locks and without a search.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace snarl::runtime::fiber {

// Looks where libc keeps it, once; if it isn't found, each fiber goes on with one of its own.
void find_heap_cache();

// The word that points to the caller's; null if it was not found.
uint64_t* pointer_to_heap_cache();

// The caller's becomes that of a new fiber too.
void share_heap_cache(pthread_t with);

}  // namespace snarl::runtime::fiber
