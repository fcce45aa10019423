// The child of library mode: runs the schedules of a batch until one fails or all are done.
#pragma once

#include "runtime/reset/body.h"
#include "wire/batch.h"
#include "wire/layout.h"

namespace snarl::runtime {

// Called in a fresh copy of the test's process, which ends here. Only what is written to the two memories is left of
// it.
[[noreturn]] void run_batch(wire::Layout& wire, wire::Batch& batch, const Body& body);

}  // namespace snarl::runtime
