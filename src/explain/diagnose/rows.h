// The rows of the schedule table, from the events of a traced run.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "explain/diagnose/holders.h"
#include "explain/diagnose/objects.h"
#include "explain/diagnose/places.h"
#include "explain/diagnose/wakes.h"

namespace snarl::explain {

class Rows {
 public:
  // All must outlive it.
  Rows(const record::RunRecord& record, Places& places, ObjectTable& objects);

  // All events with the switches between them, then what was never granted.
  std::vector<report::FindingRow> build();

  // Where the threads of the switches had arrived, where the events tell it; one for each decision.
  std::vector<const report::Location*> switch_places(const std::vector<Decision>& decisions) const;

  const Holders& holders() const { return holders_; }

  // The event that created `thread`; nullptr: not in the events.
  const Event* created(uint32_t thread) const;
  // Where `thread` last took the mutex that it holds; nullptr: not in the events.
  const Event* taken(uint32_t thread, uint64_t object) const;

 private:
  report::Location place_of(const Event& event);
  Reason reason_of(size_t i) const;
  void add_timeouts(Step step);
  void add_timeout(const Decision& decision);
  bool returns_at_once(size_t i) const;
  report::FindingValues values_at(size_t i) const;
  void add_step(size_t i);
  std::pair<Act, report::Location> arrival(size_t i);
  void set_waits_by_log(report::FindingRow& row, Step step);
  void add_switch(size_t i, Reason reason);
  void set_waits(report::FindingRow& row, const Act& act, const report::Location& place);
  void set_holders(report::FindingRow& row, uint64_t object) const;
  void add_never_granted();

  const record::RunRecord& r_;
  Places& places_;
  ObjectTable& objects_;
  std::vector<size_t> next_;  // of each event: the same thread's next one
  std::vector<Wake> wakes_;   // of each event
  std::vector<report::FindingRow> rows_;
  std::vector<std::pair<uint32_t, report::Location>> switch_places_;  // who stopped where
  Holders holders_;
  size_t next_timeout_ = 0;  // the first decision that is not in the rows yet
};

}  // namespace snarl::explain
