// How threads take turns: on gates, where each is a real one, or on fibers, where all share one OS thread. Chosen
// once per run; the conductor and the hooks are the same for both.
#pragma once

#include "runtime/fiber/fibers.h"
#include "runtime/run/gates.h"

namespace snarl::runtime::switching {

// Lets `to` run, once the calling thread waits or has ended.
inline void open(Thread& to) { fibers::on ? fibers::open(to) : gates::open(to); }

// Makes the waiting thread `of` write its stack.
inline void ask_for_stack(Thread& of) { fibers::on ? fibers::ask_for_stack(of) : gates::ask_for_stack(of); }

// The rest of a thread's life. errno-style results.
inline int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes) {
  return fibers::on ? fibers::create(child, handle, attributes) : gates::create(child, handle, attributes);
}
inline int join(Thread& ended, void** result) {
  return fibers::on ? fibers::join(ended, result) : gates::join(ended, result);
}
inline int detach(Thread& thread, bool ended) {
  return fibers::on ? fibers::detach(thread, ended) : gates::detach(thread);
}

}  // namespace snarl::runtime::switching
