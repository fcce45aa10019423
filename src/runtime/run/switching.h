// How threads take turns: on gates, where each is a real one, or on fibers, where all share one OS thread. Chosen
// once per run; the conductor and the hooks are the same for both.
#pragma once

#include "runtime/fiber/fibers.h"
#include "runtime/gate/gates.h"

namespace snarl::runtime::switching {

// Lets `to` run, once the calling thread waits or has ended.
inline void open(Thread& to) { under_way.on_fibers ? fibers::open(to) : gates::open(to); }

// Makes the waiting thread `of` do `what`.
inline void ask(Thread& of, void (*what)(Thread&)) {
  under_way.on_fibers ? fibers::ask(of, what) : gates::ask(of, what);
}

// The rest of a thread's life. errno-style results.
inline int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes) {
  return under_way.on_fibers ? fibers::create(child, handle, attributes) : gates::create(child, handle, attributes);
}
inline int join(Thread& ended, void** result) {
  return under_way.on_fibers ? fibers::join(ended, result) : gates::join(ended, result);
}
inline int detach(Thread& thread, bool ended) {
  return under_way.on_fibers ? fibers::detach(thread, ended) : gates::detach(thread);
}

}  // namespace snarl::runtime::switching
