// The threads of a parallel run: made, joined, ended.
#pragma once

#include "base/thread_set.h"
#include "runtime/parallel/member.h"

namespace snarl::runtime::parallel {

// Slots of threads that live, or have ended and were not joined. Guarded by the desk.
const ThreadSet& occupied();
void vacate(ThreadId slot);

// The calling thread is main, the only one.
void begin_threads();

// Every thread that lives, with the desk locked.
template <typename F>
void for_each_thread(F&& f) {
  occupied().for_each([&](ThreadId t) {
    Member& member = member_of(thread_at(t));
    if (!member.ended) f(member);
  });
}

// All threads sleep at their gates: each writes its stack.
void ask_for_stacks(const Thread& self);

// Says in the wire which threads were enabled when the run ended.
void write_enabled();

}  // namespace snarl::runtime::parallel
