// Runs a body in children of the test's process: one run by itself, or a batch.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "library/child.h"
#include "library/settings.h"
#include "record/count_tables.h"
#include "record/record.h"

namespace snarl::library {

// One run, by a fresh process.
struct BodyOrder {
  RunKey key = {};
  RunSettings settings = {};
  std::vector<Decision> follow = {};  // for the policy `follow`
};

// The run with that index, as the batch makes it in an epoch of that profile.
BodyOrder order_of(const wire::BatchOrder& batch, uint64_t index, const Profile& profile);

struct BatchEnd {
  wire::BatchState state;                   // as the child left it; indices are checked
  std::optional<record::RunRecord> failed;  // the run that ended the child
};

class BodyRunner {
 public:
  BodyRunner(const Settings& settings, SharedMemory memory, const runtime::Body& body);

  // A traced run's output is kept.
  Expected<record::RunRecord> run(const BodyOrder& order);

  // Stopped at `deadline` (of now_seconds).
  Expected<BatchEnd> run(const wire::BatchOrder& order, double deadline);

  // Of the epoch, for all runs to come.
  void set_counts(const record::CountTables& counts) { record::write_counts(counts, memory_.wire); }
  void set_places(std::shared_ptr<const record::SharedPlaces> places);

  // What the last run or batch has shown to be shared.
  record::SharedPlaces learned() const { return record::read_learned(memory_.wire); }
  uint64_t distinct() const;
  // Schedules that were seen before don't count towards exhaustion any more.
  void forget_seen_rows();
  // Atomic instructions of unmodified code that are points.
  uint32_t patched_sites() const { return memory_.wire.state.patched.patched; }
  bool on_fibers() const { return fibers_; }

 private:
  Expected<ChildEnd> run_child_for(const BodyOrder& order, double deadline, bool captures);
  void write_command(const BodyOrder& order);
  record::RunRecord read_record(const BodyOrder& order, const ChildEnd& end) const;

  const Settings& settings_;
  SharedMemory memory_;
  const runtime::Body body_;
  std::shared_ptr<const record::SharedPlaces> places_;
  bool fibers_;
};

}  // namespace snarl::library
