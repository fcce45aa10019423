// What the test's process shares with its children: the wire and the batch. One of each per process, made once.
#pragma once

#include "base/error.h"
#include "record/wire_memory.h"
#include "wire/batch.h"

namespace snarl::library {

struct SharedMemory {
  wire::Layout& wire;
  wire::Batch& batch;

  static Expected<SharedMemory> get();
};

}  // namespace snarl::library
