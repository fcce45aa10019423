// What the program asks the system for at random, from the run's seed instead: the same in every
// replay. Each thread draws from a stream of its own (docs/rules.md, rule 14).
#pragma once

#include <stddef.h>

namespace snarl::runtime::randomness {

// Fills `data` for the calling thread. False if the system is to be asked: a thread or a child
// process that we don't control, or --random real. Keeps errno.
bool fill(void* data, size_t size);

// Is this descriptor /dev/random or /dev/urandom?
bool is_device(int fd);

}  // namespace snarl::runtime::randomness
