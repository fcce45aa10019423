// What we must know of glibc's insides, in one place. Offsets come from the symbols that
// glibc exports for its own thread debugging library, never from a constant of ours.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace snarl::runtime::glibc {

// Finds the offsets. False if this libc does not tell them.
bool find_offsets();

// The word in a thread's control block that holds its tid; the kernel zeroes it when the OS thread is gone.
uint32_t* tid_word(pthread_t thread);

// The word that holds what is under way of its cancellation and end.
uint32_t* cancel_word(pthread_t thread);

// As pthread_setcancelstate, for a fiber's thread: nobody else writes that word, so it takes no locked instruction.
// False: this libc keeps it elsewhere.
bool set_uncancellable(pthread_t thread, bool is);

}  // namespace snarl::runtime::glibc
