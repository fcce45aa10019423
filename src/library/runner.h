// Runs a body in children of the test's process: one run by itself, or a batch.
#pragma once

#include <optional>
#include <vector>

#include "explore/count_tables.h"
#include "explore/record.h"
#include "library/child.h"
#include "library/settings.h"

namespace snarl {

// One run, by a fresh process.
struct BodyOrder {
  uint64_t seed = 0;
  uint64_t index = 0;
  PolicySpec policy = {};
  Profile profile = {};
  double fairness = 0;
  bool count = false;               // a profiling run
  bool trace = false;
  std::vector<Decision> follow = {};  // for the policy `follow`
};

struct BatchEnd {
  wire::BatchState state;           // as the child left it; indices are checked
  std::optional<RunRecord> failed;  // the run that ended the child
};

class BodyRunner {
 public:
  BodyRunner(const Settings& settings, SharedMemory memory, const Body& body);

  // A traced run's output is kept.
  Expected<RunRecord> run(const BodyOrder& order);

  // Stopped at `deadline` (of now_seconds).
  Expected<BatchEnd> run(const wire::BatchOrder& order, double deadline);

  void set_counts(const CountTables& counts) { write_counts(counts, memory_.wire); }
  uint64_t distinct() const;
  bool on_fibers() const { return fibers_; }

 private:
  Expected<ChildEnd> run_child_for(const BodyOrder& order, double deadline, bool captures);
  void write_command(const BodyOrder& order);
  RunRecord read_record(const BodyOrder& order, const ChildEnd& end) const;

  const Settings& settings_;
  SharedMemory memory_;
  const Body body_;
  bool fibers_;
};

}  // namespace snarl
