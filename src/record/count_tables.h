// The counts of profiling runs: read from the wire, merged, frozen and handed to every run.
#pragma once

#include <vector>

#include "schedule/run.h"
#include "wire/layout.h"

namespace snarl::record {

struct CountTables {
  std::vector<ThreadCount> threads;  // by name
  std::vector<ObjectCount> objects;  // by object, then thread

  // The larger of each pair of counts. The result does not depend on the order of the runs.
  void merge(const CountTables& other);
};

// What a profiling run left in the wire, in order.
CountTables read_counts(const wire::Layout& layout);

// Into the wire, for the next run; what does not fit in is left out.
void write_counts(const CountTables& counts, wire::Layout& layout);

}  // namespace snarl::record
