// One run as the explorer keeps it: copied out of the wire with every count checked,
// plus what only the parent of the process can know.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "record/count_tables.h"
#include "record/event_groups.h"
#include "record/failure.h"
#include "record/shared_places.h"
#include "record/site_pairs.h"
#include "record/spin_loops.h"
#include "schedule/decision.h"
#include "schedule/event.h"
#include "schedule/expectations.h"
#include "schedule/function_rule.h"
#include "schedule/outcome.h"
#include "schedule/run_key.h"
#include "schedule/run_settings.h"
#include "schedule/stack_table.h"
#include "schedule/wrong_output.h"
#include "wire/layout.h"

namespace snarl::record {

struct RunRecord {
  // What was ordered.
  RunKey key;
  RunSettings settings;
  std::vector<FunctionRule> functions;               // see Setup
  std::vector<std::string> unpatched;                // likewise
  std::shared_ptr<const Expectations> expectations;  // likewise

  // How it ended: the wait status and the timeout have the last word over what the runtime wrote.
  OutcomeKind outcome = OutcomeKind::kNone;
  int exit_code = 0;
  int signal = 0;
  WrongOutput wrong_output;      // kWrongOutput
  std::string message;           // assertion text, refusal, divergence; control characters still in it
  bool random_addresses = true;  // of the process
  uint32_t failing_thread = 0;   // ordinal
  uint64_t fault_address = 0;
  uint64_t fault_pc = 0;
  Decision expected, got;  // kDivergence

  Step steps = 0;
  uint64_t accesses = 0;  // see wire::State
  uint64_t switches = 0;
  uint64_t decision_hash = 0;
  uint64_t order_hash = 0;                             // of the partial order; 0: there is none
  uint32_t created = 0;                                // threads over the whole run
  uint32_t at_once = 0;                                // see wire::State
  std::array<OwnStacks, kMostOwnStacks> own_stacks{};  // likewise
  uint64_t deadlines = 0;                              // timers that had a rank in the plan
  uint64_t timeouts = 0;                               // timers that the policy let fire
  uint64_t chosen_deadlines = 0;           // of the timeouts, those for which time passed while a thread could run ...
  ChosenDeadline chosen_deadline;          // ... and the last of them
  bool fails_without_choice = false;       // the same failure was also found without any (explore/campaign/confirm)
  uint64_t overrides = 0;                  // steps that were not the policy's choice (fairness)
  uint64_t passed_over = 0;                // threads that had to make way
  Step waiting_rounds = 0;                 // steps that they took before they made way
  Obedience obedience = Obedience::kOpen;  // of the policy `obey`
  uint32_t turns = 0;                      // schedules that the policy has in all; 0: it draws without end
  bool parallel = false;                   // its decisions are a serial order of what happened at the same time
  bool repeatable = true;                  // false: a watchdog or an inference had a say
  double seconds = 0;
  std::string obstacle;  // why it was not on fibers, though it should have been

  CountTables counts;                              // of a run that counts
  std::shared_ptr<const SharedPlaces> places;      // that were points; null: none
  SharedPlaces learned;                            // that should be, as this run shows
  std::shared_ptr<const SharedPlaces> spin_loads;  // loads of spin loops that were points; null: none
  SpinLoops spin_loops;                            // in which it was stopped
  SitePairs pairs;                                 // met by it, if it lists them
  std::vector<EventGroup> groups;                  // met by it, and by no earlier run of the same worker

  wire::Patched patched;  // code that was not compiled for us
  bool hooked = false;    // some of the code was: memory and function points can be
  // Filled for failures and traced runs only.
  std::vector<Decision> decisions;
  bool decisions_cut = false;  // more switches than the log holds: only (seed, index) replays it
  std::vector<Event> events;   // oldest first, the last wire::kMaxEvents of them; parallel: the first, by time
  uint64_t events_lost = 0;    // that there were more
  std::vector<wire::Thread> threads;
  std::vector<wire::Held> held;
  std::vector<wire::MisuseEntry> misuses;  // always; their stacks only with the rest
  std::vector<wire::RaceEntry> races;      // always: pairs of accesses that nothing orders
  uint32_t met_races = 0;                  // of them, before those that are known were left out
  Predicted predicted = Predicted::kNo;    // the races are: `decisions` are the order that should show them
  bool races_cut = false;                  // there may be more: the detector had no more memory
  Failure failure;                         // the one that is meant where "the failure" of the run is spoken of
  std::vector<wire::Module> modules;
  std::vector<StackEntry> stacks;  // id n at n - 1
  std::vector<uint64_t> frames;
  std::vector<wire::Label> labels;
  std::vector<wire::HeapBlock> blocks;
  std::vector<wire::Straddle> straddles;
  std::string out, err;  // captured, capped
  bool out_cut = false, err_cut = false;

  // The stack of that id, innermost first; empty: there is none.
  std::span<const uint64_t> stack(uint32_t id) const { return stack_frames(id, stacks, frames); }
};

}  // namespace snarl::record
