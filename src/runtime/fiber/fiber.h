// A fiber: stack, control block and thread-local storage of a thread that libc made, without the OS thread.
//
// All fibers of a process run on its main OS thread, the carrier, one at a time.
#pragma once

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>

#include <cstddef>

#include "runtime/fiber/context.h"
#include "runtime/state/thread.h"

namespace snarl::runtime {

namespace fiber {

// A stack as a thread's attributes want it.
struct Wanted {
  size_t size = 0, guard_size = 0;
  bool is_users_stack = false;  // the program's own memory: not to be used for another thread

  bool operator==(const Wanted&) const = default;
};

}  // namespace fiber

struct Fiber {
  fiber::Context context;    // while it does not run
  pthread_t handle;          // its control block
  Thread* thread;            // that lives in it; null: none
  robust_list_head* robust;  // of mutexes that it holds; the kernel only knows the carrier's
  uint64_t mask;             // of signals, while it does not run (masks.h)
  stack_t signal_stack;      // alternate, as the kernel is to have it (signal_stacks.h)
  stack_t own_stack;         // that its thread asked for; null: none
  fiber::Wanted stack;
  uint64_t begin;  // of the stack, with its guard, if that is marked (platform/guard_pages.h); 0: it is not
  uint32_t kind;   // of its stack (pool.h)
  bool is_used;    // a thread has lived in it: what libc keeps for one must be made new
  uint32_t gone;   // zero once the OS thread that made it is gone
  Fiber* next;     // in the pool
};

namespace fiber {

// What pd->tid and gettid() say in a fiber: above every real one (the kernel's limit is 2^22), so that no call can
// mean another process by it.
constexpr uint32_t kFirstTid = 1u << 22;

}  // namespace fiber

}  // namespace snarl::runtime
