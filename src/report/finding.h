// A finding: one failure of the tested program, as data. Threads are ordinals, objects are indices, and what was done
// is an enumeration: there is no sentence in it.
//
// explain/diagnose/diagnose builds it; report/text puts it into words, and every output is made from it. report.json
// has all of it (report/formats/finding_json), so that a stored finding can be told again. Texts that are here came
// from the program, control characters included. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "report/finding_head.h"
#include "report/location.h"
#include "report/pattern.h"
#include "schedule/decision.h"
#include "schedule/memory_order.h"
#include "schedule/misuse.h"
#include "schedule/operation.h"
#include "schedule/outcome.h"
#include "schedule/wrong_output.h"

namespace snarl::report {

constexpr uint32_t kNoObject = 0xffffffff;

// Memory of the heap that an object lies in.
struct FindingBlock {
  bool known = false;
  uint64_t size = 0;
  uint64_t offset = 0;  // of the object in it
  uint32_t thread = 0;  // that allocated it
  Location place = {};  // where
};

// A mutex, condition variable, ...
struct FindingObject {
  ObjectKind kind = ObjectKind::kNone;  // kNone: plain memory
  std::string name;                     // the program's, or a letter where it has none
  bool letter = false;
  Location first = {};  // where it was first used
  FindingBlock block = {};
};

// An operation with what it works on.
struct FindingAct {
  OpKind kind = OpKind::kNone;
  OpKind after = OpKind::kNone;  // kAfter: what was just performed
  bool kind_only = false;        // nothing but its kind is known
  uint32_t object = kNoObject;   // index into Finding::objects
  uint32_t second = kNoObject;   // likewise: the mutex of a condition wait
  uint32_t thread = kNobody;     // the other thread: created, joined, ...
  uint64_t number = 0;           // a descriptor or a signal
  std::string label = {};        // of a user's point
  int result = 0;                // that the program is told

  bool operator==(const FindingAct&) const = default;
};

enum class RowKind : uint8_t {
  kStep,
  kSwitch,        // in the column of the thread that stops, which had arrived at `act`
  kTimedOut,      // the timer of the thread's wait fires
  kSleepOver,     // likewise, of a sleep
  kAlarm,         // a timer of the program's expires
  kNeverGranted,  // an operation that was pending at the end
  kFailure,
};

// What a memory access met and left.
struct FindingValues {
  uint32_t bytes = 0;  // 0: nothing is known
  bool has_was = false, has_left = false;
  uint64_t was = 0;   // a read or an exchange: what was there
  uint64_t left = 0;  // a write or an exchange: what it left there
};

// A row of the schedule table.
struct FindingRow {
  RowKind kind = RowKind::kStep;
  Step step = 0;  // 0: before the second thread, or not a step
  uint32_t thread = 0;
  FindingAct act = {};
  Location place = {};
  Reason reason = Reason::kNone;       // a switch: why
  std::vector<uint32_t> holders = {};  // of what the thread waits for, itself first
  bool more_holders = false;           // than these
  bool behind_writer = false;          // readers hold it, but a writer comes first
  bool value_changed = false;          // a futex wait that returns at once
  uint64_t skipped = 0;                // steps before it that have no row: they look like the ones around the gap
  std::vector<uint32_t> wakes = {};    // threads that could go on because of it, and did
  FindingValues values = {};
  bool wakes_nobody = false;  // a signal or broadcast that no thread waited for
};

// Was an operation performed?
inline bool is_step(const FindingRow& row) {
  return row.kind != RowKind::kSwitch && row.kind != RowKind::kNeverGranted && row.kind != RowKind::kFailure;
}

enum class Holding : uint8_t { kOwned, kReading, kWriting };

struct FindingHeld {
  uint32_t object = kNoObject;
  Location place = {};  // where it was taken
  Stack stack = {};
  Holding how = Holding::kOwned;
};

enum class ThreadState : uint8_t {
  kUnknown,  // it could not tell
  kRunning,  // likewise, but it had the turn
  kBlocked,
  kReady,
  kFailed,
  kEnded,
  kSpinning,
};

// What a thread was doing when the run ended, beside its state.
enum class Doing : uint8_t {
  kNothing,       // ended, failed, or not known
  kPending,       // is about to perform `act`
  kWaits,         // can't perform `act`
  kSpins,         // performs `act` again and again
  kLoops,         // without a point, instead of coming to `act`
  kHadTurn,       // when time was up
  kComputes,      // likewise, stopped by the watchdog
  kLastStep,      // `act` was its last step
  kHadTurnAfter,  // had the turn, and `act` was its last step
  kStoppedAt,     // it had arrived at `act`
  kNotStarted,
};

// How the thread `held_by` keeps another one waiting.
enum class Holder : uint8_t {
  kOwner,    // holds what the other waits for
  kUnnamed,  // likewise, but it is not known which thread it is
  kUnnamedWriter,
  kWriterAhead,  // readers hold it; this one waits to write, and comes first
  kOnceRunner,   // runs the routine
};

struct FindingThread {
  uint32_t ordinal = 0;
  std::string label = {};  // pthread_setname_np, or else the function that it runs
  ThreadState state = ThreadState::kUnknown;
  Doing doing = Doing::kNothing;
  FindingAct act = {};
  Holder holder = Holder::kOwner;
  uint32_t held_by = kNobody;
  uint64_t arrived = 0, expected = 0;  // at a barrier; expected 0: enough, or not known
  std::vector<FindingHeld> holds = {};
  Location place = {};  // of the pending operation, or of the failure
  Stack stack = {};
  uint32_t creator = kNobody;
  Location created_at = {};
  uint64_t steps = 0;
};

struct FindingSwitch {
  Step step = 0;
  uint32_t from = 0;
  uint32_t to = 0;
  Reason reason = Reason::kNone;
  OpKind operation = OpKind::kNone;  // what `from` had arrived at
  uint64_t nth = 0;
  Location place = {};
  bool from_timer = false;  // it is the timer of that thread
  bool to_timer = false;
};

enum class DeedKind : uint8_t {
  kWrongCall,     // of the misuse
  kWhatMadeItSo,  // the other place of the misuse
  kAccess,        // of a race: first the one that came last
  kWeakLoad,      // of a race: all that orders the accesses is that this load ...
  kWeakStore,     // ... read what this store wrote, and their memory orders are too weak
  kCreated,       // of a race: where a thread was created
  kUsed,          // memory, as a sanitizer tells it
  kFreed,
  kAllocated,
};

// What somebody did: of a misuse first the wrong call, then what makes it wrong.
struct FindingDeed {
  DeedKind kind = DeedKind::kWrongCall;
  uint32_t thread = kNobody;
  OpKind operation = OpKind::kNone;  // of a misuse or a race
  Location place = {};
  Stack stack = {};
  uint64_t size = 0;                       // of a race: bytes ...
  uint64_t offset = 0;                     // ... from so many after the variable's or object's beginning
  std::vector<uint32_t> locks = {};        // of a race: objects that the thread holds
  uint32_t creator = kNobody;              // kCreated
  uint32_t object = kNoObject;             // kWeakLoad, kWeakStore: the atomic variable ...
  MemoryOrder order = MemoryOrder::kNone;  // ... and the order
};

// A call against the rules; kind kNone: the failure is the outcome.
struct FindingMisuse {
  MisuseKind kind = MisuseKind::kNone;
  OpKind op = OpKind::kNone;
  OpKind other_op = OpKind::kNone;  // what was done at the other place; kNone: it is not known
  LockShape shape = LockShape::kMutex;
  uint32_t thread = 0;
  uint32_t other = kNobody;
  uint32_t joined = 0;
  uint32_t object = kNoObject;
  ObjectKind object_kind = ObjectKind::kNone;  // kNone: not known, or a thread
  Location other_place = {};
  bool weak = false;  // a race: the accesses come one after the other, by memory orders that are too weak
};

// The failing schedule let time pass though a thread could run: the last deadline that came so.
struct FindingDeadline {
  uint64_t nanoseconds = 0;  // that passed; 0: there was none
  uint64_t count = 0;        // how many came so
  bool alarm = false;        // of the program's; otherwise of a thread's wait
  uint32_t thread = 0;       // whose wait it is
  Location set_at = {};      // where its wait began, or the alarm was set
  uint32_t other = 0;        // who could run ...
  Location other_at = {};    // ... and where it stood
};

// An event of the cause: a thread arrives somewhere.
struct FindingMoment {
  uint32_t thread = 0;
  FindingAct act = {};
  Location place = {};
  Step step = 0;            // 0: not performed
  uint64_t occurrence = 0;  // of that thread, that operation and that line, from 1; 0: there is only one
  FindingValues values = {};
};

struct FindingConstraint {
  std::vector<FindingMoment> sources = {};
  FindingMoment target = {};
  uint64_t runs_without = 0, passed_without = 0;  // runs that obey the other constraints only
};

// The smallest set of orders with which it fails, as far as that was found.
struct FindingCause {
  bool known = false;
  bool enough = false;  // every run that obeyed failed; otherwise it is the best that there is
  std::vector<FindingConstraint> constraints = {};
  uint64_t runs = 0, failed = 0;                    // that obey it, each choice that is left being equally likely
  uint64_t priority_runs = 0, priority_failed = 0;  // with some thread far ahead of the others
  uint64_t otherwise = 0;                           // of the failing ones, in another way
  uint64_t dead_ends = 0;
  uint64_t tries = 0;  // runs that were made to find it
};

// A known kind of bug, as far as the trace shows it; what the moments are depends on the kind.
struct FindingPattern {
  PatternKind kind = PatternKind::kNone;
  std::vector<FindingMoment> moments = {};
};

// A line of a source file, as it was when the program was built.
struct FindingSource {
  std::string path = {};
  int line = 0;
  std::string text = {};
};

struct Finding : FindingHead {
  OutcomeKind outcome = OutcomeKind::kNone;
  FindingMisuse misuse = {};
  int signal = 0;
  bool self_deadlock = false;                       // a thread waits for a lock that it holds itself
  std::string message = {};                         // of the program: the text of an assertion, a check or an exception
  std::string sanitizer_error = {};                 // "heap-use-after-free"
  std::string exception = {}, exception_says = {};  // that nobody caught: its type, what()
  WrongOutput wrong_output = {};
  int expected_exit = 0;
  double run_seconds = 0;    // a timeout: after so long
  uint32_t last_to_run = 0;  // likewise: who had the turn

  FindingDeadline deadline = {};
  FindingCause cause = {};
  FindingPattern pattern = {};
  std::vector<FindingDeed> deeds = {};
  std::vector<FindingObject> objects = {};
  std::vector<FindingThread> threads = {};
  std::vector<FindingRow> rows = {};
  std::vector<FindingSwitch> decisions = {};
  std::vector<FindingSource> sources = {};  // of all places above, as far as they are known
};

// Is the outcome what failed, and of that kind?
inline bool failed_by(const Finding& finding, OutcomeKind outcome) {
  return finding.misuse.kind == MisuseKind::kNone && finding.outcome == outcome;
}

// Its depth as measured: how many orders are enough to make it fail; 0: it is not known, or none is needed.
inline uint64_t depth_of(const Finding& finding) { return finding.cause.enough ? finding.cause.constraints.size() : 0; }

// The name of what failed, as in reports and suppressions: "deadlock", "unlock_not_owner".
inline const char* kind_of(const Finding& finding) {
  return finding.misuse.kind != MisuseKind::kNone ? name_of(finding.misuse.kind) : name_of(finding.outcome);
}

}  // namespace snarl::report
