// A run of library mode: a function of the test program takes the place of main.
#pragma once

#include <cstdint>

#include "schedule/outcome.h"
#include "wire/batch.h"

namespace snarl::runtime {

struct Body {
  void (*call)(void*);
  void* data;
};

// Runs it as the wire's command says; the calling thread is the run's main thread. Returns if the run passes, with
// what it leaves behind; a run that fails ends the process.
wire::Left run_body(const Body& body);

// The run fails here, because the test says so. Must be called by a thread of the run.
[[noreturn]] void fail_body(OutcomeKind kind, const char* why);

}  // namespace snarl::runtime
