// A child of the test's process, from its fork to its end.
#pragma once

#include <string>

#include "library/memory.h"
#include "runtime/reset/body.h"

namespace snarl::library {

struct ChildOrder {
  runtime::Body body;
  void (*prepare)() = nullptr;  // called in the child first
  double timeout = 10;          // seconds, for one run
  double deadline = 0;          // on the clock of now_seconds(): the batch is stopped then; 0: never
  bool captures = false;        // keep what it writes
  bool fibers = false;          // the body's threads share one OS thread
};

struct ChildEnd {
  int status = 0;          // as waitpid gives it
  bool timed_out = false;  // it was killed for that
  bool is_stuck = false;   // or for this: on fibers, and nobody took a step for a second
  std::string out, err;
  bool out_cut = false, err_cut = false;
};

// Forks, lets the child do what memory.batch.order says, and waits for its end.
Expected<ChildEnd> run_child(SharedMemory& memory, const ChildOrder& order);

}  // namespace snarl::library
