// Memory that the program frees: which synchronisation objects lie in it, and who frees it.
//
// `free` has no point and no step. An object in freed memory is marked inside (runtime/truth/misuse_truth.h) and known
// to the model; whoever uses it then is told by `use_after_free`. Memory that becomes another object loses the mark.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "runtime/state/thread.h"

namespace snarl::runtime {

// Once per process. Only where the allocator that frees also says how large a block is.
void look_who_frees();

// The run begins: nothing was freed in it.
void forget_freed_blocks();

// A mutex that the model never met says that it is locked. Does it lie at the begin of a block that was freed, and that
// nobody has got since? Then it is marked, and the model knows it, as if it had been met before.
bool notice_freed(const pthread_mutex_t* mutex);

// May the block be looked into that the calling thread frees? Nobody runs beside it, and its size can be asked for.
bool is_told_of(const Thread* self, const void* block);

// `self` frees these bytes, by the call at `pc`.
void look_into(Thread& self, uint64_t begin, uint64_t end, uint64_t pc);

}  // namespace snarl::runtime
