// The child of library mode: runs the schedules of a batch until one fails or all are done.
#pragma once

#include "runtime/reset/body.h"
#include "wire/batch.h"
#include "wire/layout.h"

namespace snarl::runtime {

// Called in a fresh copy of the test's process, which ends here. Only what is written to the two memories is left of
// it.
[[noreturn]] void run_batch(wire::Layout& wire, wire::Batch& batch, const Body& body);

// The same many times: for each wire::Request on the socket `control`, a copy of this process that is a child of its
// parent does what the batch's order says then. So what a process does before its first run, such as patching, is done
// once. Ends with the socket's other end.
[[noreturn]] void serve_batches(wire::Layout& wire, wire::Batch& batch, const Body& body, int control);

}  // namespace snarl::runtime
