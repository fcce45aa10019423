// Copies a run out of the wire.
//
// The tested program can write any bytes there, on purpose or through a wild pointer, so
// every count is clamped, every index checked, every enum that has no such value replaced
// by its kNone, and every text terminated. What comes out is safe to walk without checks.
#pragma once

#include <vector>

#include "record/record.h"
#include "wire/layout.h"

namespace snarl::record {

enum class Detail { kCounters, kAll };

// Fills what the runtime knows; the outcome is the runtime's opinion (see settle). A layout
// whose State::run is not `run` is of an earlier run: then nothing is filled.
void read_run(const wire::Layout& layout, uint64_t run, Detail detail, RunRecord& record);

// The counters alone, of a run of a series.
void read_counters(const wire::State& state, RunRecord& record);
// What is the same for all runs of a process.
void read_patched(const wire::State& state, RunRecord& record);

std::vector<wire::Module> read_modules(const wire::Layout& layout);

}  // namespace snarl::record
