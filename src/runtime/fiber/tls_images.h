// Thread-local variables as a new thread has them, from the images in the loaded files.
#pragma once

#include <cstdint>

namespace snarl::runtime::fiber {

// Those of the calling thread, whose thread pointer this is; but for libc's own (its caches stay good) and the
// sanitizers', who keep a thread's state there and know nothing of its end.
void renew_thread_locals(uint64_t thread_pointer);

// A file is about to be unloaded, and its images with it.
void note_unloading();

}  // namespace snarl::runtime::fiber
