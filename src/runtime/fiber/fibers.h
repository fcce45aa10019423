// Fibers as a switching layer: every thread of the program has its own stack and control block, made by libc, and
// one OS thread, the carrier, runs them in turn. A switch is a few registers; the kernel is not asked.
#pragma once

#include "runtime/fiber/fiber.h"
#include "runtime/fiber/masks.h"

namespace snarl::runtime::fibers {

// The run is on fibers from here on; the calling thread is main, on the carrier. If that is not possible, it says so
// and the run is on gates.
void begin(Thread& main);

// On fibers the program can't go on: this run ends, and is run again on gates. Does nothing on gates.
void give_up(const char* why);

// In a profiling run that comes to its end: OS threads that nobody told us of are a reason to give up.
void look_for_strangers();

// Mints the fibers that the next run needs, as far as its profile says, before the program's own code runs: where they
// lie, and with them stacks and the heap, depends on nothing but the profile then. In a fork server every copy has
// them.
void prepare();

// As runtime/run/switching.h says.
int create(Thread& child, pthread_t* handle, const pthread_attr_t* attributes);
int join(Thread& ended, void** result);
int detach(Thread& thread, bool ended);
int set_name(Thread& thread, const char* name);
void ask(Thread& of, void (*what)(Thread&));
[[gnu::cold]] void answer(Thread& self);

// The fiber that runs, or, between open and wait, that is to.
extern Fiber* running;
extern void (*asked)(Thread&);  // whoever is switched to is to do this and go back; null: nothing

bool is_carrier(const Fiber& fiber);

inline void open(Thread& to) { running = to.fiber; }

[[gnu::always_inline]] inline void wait(Thread& self) {
  while (running != self.fiber) {
    if (__builtin_expect(asked != nullptr, 0))
      answer(self);
    else if (__builtin_expect(fiber::masks_differ, 0))
      fiber::swap_masks(*self.fiber, *running);
    fiber::switch_context(self.fiber->context, running->context);
  }
}

// The thread has taken its exit step: what is left of it is given back.
void retire(Thread& self);

// The same for the calling thread, and the one that was opened for runs. Returns when another thread is to live in this
// fiber.
[[gnu::always_inline]] inline void leave(Thread& self) {
  Fiber& fiber = *self.fiber;
  retire(self);
  fiber::switch_context(fiber.context, running->context);
}

}  // namespace snarl::runtime::fibers
