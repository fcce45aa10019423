// The wire: the one memfd that the explorer and the tested process share.
//
// The explorer makes it, sets its size once, seals it against resizing and passes its
// descriptor number in SNARL_WIRE. Everything is plain data at fixed offsets, so what
// the tested process wrote survives its death by any signal. The explorer trusts
// nothing in it: counts are clamped and texts are terminated when it copies them out
// (record/wire_reader). A change of any layout here bumps kWireVersion.
//
// Who writes what: `options`, `command`, `follow`, `thread_counts`, `object_counts`, `groups`, `pairs`, `directive` and
// `places` are the explorer's, written while no run is under way; everything else is the tested process's.
#pragma once

#include <atomic>
#include <cstdint>

#include "schedule/chosen_deadline.h"
#include "schedule/decision.h"
#include "schedule/event.h"
#include "schedule/misuse.h"
#include "schedule/operation.h"
#include "schedule/outcome.h"
#include "schedule/run.h"
#include "schedule/shared_place.h"
#include "schedule/site_pair.h"
#include "schedule/stack_table.h"
#include "schedule/weak_order.h"

namespace snarl::wire {

constexpr uint64_t kMagic = 0x31455249574c4e53;  // "SNLWIRE1"
constexpr uint32_t kWireVersion = 19;
constexpr const char* kEnvironment = "SNARL_WIRE";  // value: "<memfd>,<control socket or -1>"

// Sizes: pages that nobody touches cost nothing, so these are generous.
constexpr uint32_t kMaxDecisions = 1 << 20;
constexpr uint32_t kChunk = 256;  // events of one thread of a parallel run that lie together: three pages
constexpr uint32_t kMaxChunks = 1 << 13;
constexpr uint32_t kMaxEvents = kMaxChunks * kChunk;  // a run of a million steps has all of its events twice over
constexpr uint32_t kMaxStacks = 1 << 17;              // different ones
constexpr uint32_t kMaxFrames = kMaxStacks * 16;
static_assert(kMaxStacks <= Event::kMostStacks);
constexpr uint32_t kMaxModules = 512;
constexpr uint32_t kMaxHeld = 4096;
constexpr uint32_t kMaxMisuses = 64;  // different ones of a run
constexpr uint32_t kMaxRaces = 64;    // likewise, pairs of places
constexpr uint32_t kRaceLocks = 4;    // of each thread that a report of a race names
constexpr uint32_t kMaxCountedThreads = 1 << 12;
constexpr uint32_t kMaxCountedObjects = 1 << 15;
constexpr uint32_t kMaxGroups = 1 << 14;     // known of a campaign
constexpr uint32_t kMaxMetGroups = 1 << 12;  // of one run
constexpr uint32_t kMaxPlugins = 8;
constexpr uint32_t kMaxCallerSlots = 1 << 10;
constexpr uint32_t kMaxPath = 440;
constexpr uint32_t kMaxFunctionText = 8192;
constexpr uint32_t kMaxFileText = 8192;
constexpr uint32_t kMaxStraddles = 256;
constexpr uint32_t kMaxSpinLoads = 64;
constexpr uint32_t kMaxRounds = 4;  // recordings of a run
constexpr uint32_t kMaxRoundSteps =
    4096;  // instructions of each: a few milliseconds; rounds of unoptimised loops are long
constexpr uint32_t kMaxPlaces = 1 << 16;             // shared ones
constexpr uint32_t kMaxBlocks = Event::kMostBlocks;  // of the heap
constexpr uint32_t kMaxLabels = 256;                 // names of users' points
constexpr uint32_t kStackDepth = 48;                 // of a thread at the end of a run
constexpr uint32_t kEventDepth = 16;                 // of an event; enough to leave libstdc++ and the -O0 wrappers

enum class Reset : uint32_t { kExec = 0, kFork, kRewind };

// Tells a thread that computes to let others run. SIGRTMAX - 1: programs start from SIGRTMIN.
constexpr int kWayGivingSignal = 63;

// Fixed for the life of a tested process.
struct Options {
  Reset reset = Reset::kFork;
  int32_t cpu = -1;                                // pin to this core; -1: don't
  char plugins[kMaxPlugins][kMaxPolicyFile] = {};  // policies to load, absolute paths; empty: no more
  char scanner[kMaxPath] = {};            // the program that makes tables of patches (wire/patch_table.h); empty: none
  char cache[kMaxPath] = {};              // folder where they are kept; empty: nowhere
  char functions[kMaxFunctionText] = {};  // that the user named: lines of schedule/function_rule.h
  // Names of files, a line each. Files that are stepped have the points of their patches, but their bytes as they are
  // (runtime/patch/stepping.h); "*" means all. Files that are unpatched have neither.
  char stepped[kMaxFileText] = {};
  char unpatched[kMaxFileText] = {};
  // Loads of loops that were seen to spin (docs/design/watching.md): points at every level.
  uint32_t spin_loads = 0;  // entries of `spin_load`
  uint32_t unused = 0;
  SharedPlace spin_load[kMaxSpinLoads] = {};
};

// Orders one run. What all runs of a process share of the settings is there before it starts.
struct Command {
  uint64_t run = 0;  // counts runs; the tested process copies it into State::run
  RunKey key;
  RunSettings settings;
  uint32_t fibers = 0;         // switch on fibers; else, and in parallel runs, threads are real
  uint32_t ends_in_hang = 0;   // what `follow` leads to: whoever recorded it has waited long enough
  uint32_t follow_count = 0;   // entries of `follow`; pc is that of *this* process or 0
  uint32_t thread_counts = 0;  // entries of the tables of that name
  uint32_t object_counts = 0;
  uint32_t constraints = 0;  // entries of `directive`
  uint32_t places = 0;       // entries of `places`
  uint32_t groups = 0;       // entries of the table of that name
  uint32_t pairs = 0;        // likewise, with Run::pairs_since
  uint32_t unused = 0;
  SharedPlace meeting[2] = {};  // for the policy `meet`: of which two places threads are to stand at the same time
  uint64_t pairs_since = 0;
};

enum class ThreadPhase : uint32_t { kUnused = 0, kLive, kEnded };

// A thread when the run ended. Ended and joined threads are kept while there is room.
struct Thread {
  ThreadPhase phase = ThreadPhase::kUnused;
  uint32_t ordinal = 0;
  uint32_t creator = 0;    // ordinal
  uint32_t enabled = 0;    // 0: its pending operation can't be performed
  uint64_t name = 0;       // hash
  uint64_t start_pc = 0;   // address of its start routine
  uint64_t create_pc = 0;  // place that created it
  uint64_t steps = 0;
  Op pending;          // its `thread` is an ordinal here
  uint32_t stack = 0;  // id; 0: none
  uint32_t unused = 0;
  char label[16] = {};          // pthread_setname_np
  uint64_t thread_pointer = 0;  // thread-local storage lies below it; 0: unknown
};

enum class HeldAs : uint32_t { kMutex = 0, kReading, kWriting };

// A mutex or read-write lock that is held when a run ends; the latter once for each holder that is known.
struct Held {
  uint64_t object = 0;
  uint64_t pc = 0;     // where it was taken
  uint32_t owner = 0;  // ordinal
  HeldAs as = HeldAs::kMutex;
};

// A misuse, when it happened. `stack` is that of the wrong call.
struct MisuseEntry {
  Misuse what;
  Step step = 0;
  uint64_t events = 0;        // traced runs: written up to this call, which is the last of them
  uint32_t stack = 0;         // id; 0: none
  uint32_t other_stack = 0;   // likewise, of a race
  uint64_t other_object = 0;  // a race: where the other access begins
  uint32_t size = 0, other_size = 0;
  uint64_t locks[kRaceLocks] = {}, other_locks[kRaceLocks] = {};  // that each of both holds; 0: no more
  WeakOrder weak = {};  // a race: the other access came before, ordered by this only
};

// Two accesses of a run that nothing orders. That a schedule exists in which they come together is not known.
struct RaceEntry {
  uint64_t pc = 0, other_pc = 0;  // the other was there before
  uint64_t address = 0;           // of eight bytes
  Step step = 0;
  uint32_t thread = 0, other = 0;  // ordinals
  OpKind op = OpKind::kNone, other_op = OpKind::kNone;
  uint8_t unused[6] = {};
  WeakOrder weak = {};  // the one came after the other, ordered by this only
};

struct Module {
  uint64_t begin = 0, end = 0;  // addresses that belong to it
  uint64_t bias = 0;            // address minus bias is the address in the file
  uint64_t tls_below = 0;  // its thread-local block lies so far below each thread pointer; 0: it has none, or not there
  uint64_t tls_size = 0;
  uint32_t build_id_size = 0;
  uint8_t build_id[20] = {};
  char path[kMaxPath] = {};
  uint32_t patches = 0;  // that were made in its code, or are points by stepping
  uint32_t unused = 0;
};
static_assert(sizeof(Module) == 512);

// What was done to code that was not compiled for us.
struct Patched {
  uint32_t sites = 0;      // atomic instructions of the program's own files
  uint32_t patched = 0;    // of which so many are points
  uint32_t unread = 0;     // files that could not be scanned
  uint32_t refused = 0;    // files whose code could not be changed
  uint32_t functions = 0;  // that the user named, in the program's own files
  uint32_t functions_patched = 0;
  uint32_t disputed = 0;  // of the sites: perhaps no instructions, and left alone
  uint64_t matched = 0;   // a bit for each line of Options::functions that names one
};

enum class Phase : uint32_t {
  kNothing = 0,  // the runtime has not started (not loaded?)
  kReady,        // at main; modules are listed
  kRunning,      // main was called
  kEnded,        // the runtime saw the end and wrote the outcome
};

// What the explorer must know of a run on fibers: if the one OS thread sleeps, or computes without end, nobody inside
// can look after it.
struct OnFibers {
  uint64_t arrivals = 0;    // at schedule points
  uint32_t live = 0;        // threads
  uint32_t waits = 0;       // for something outside, as it should
  uint32_t given_up = 0;    // the run ended in the middle: it is to be run on gates
  char obstacle[160] = {};  // why the program needs gates
};

// How the current or last run goes. Counters are live, so that they are right whatever ends the process.
struct State {
  std::atomic<Phase> phase{Phase::kNothing};
  uint32_t version = 0;           // kWireVersion of the runtime
  uint32_t modules = 0;           // entries of `modules`
  uint32_t pinned_cpu = 0;        // 1 + the core; 0: not pinned
  uint32_t random_addresses = 0;  // the kernel chose where things are: another process has them elsewhere
  uint64_t run = 0;
  // From here to the message all is zero when a run begins.
  Step steps = 0;
  uint64_t switches = 0;
  uint64_t decision_hash = 0;              // over (step, from, to) of every switch: equal schedules have equal hashes
  uint64_t order_hash = 0;                 // of the partial order (conduct/partial_order.h); 0: there is none
  uint32_t decisions = 0;                  // entries of `decisions` (stops at kMaxDecisions; switches goes on)
  uint32_t created = 0;                    // threads over the whole run, main included
  uint32_t at_once = 0;                    // the most that lived or waited to be joined; on fibers, not on own stacks
  uint32_t threads = 0;                    // entries of `threads`
  uint32_t held = 0;                       // entries of `held`
  std::atomic<uint32_t> misuses{0};        // entries of `misuses`; atomic, as a forked copy adds its own
  uint64_t events = 0;                     // written by a serial run; the last kMaxEvents are kept
  uint32_t frames = 0;                     // entries of `frames`
  uint32_t deadlines = 0;                  // timers that had a rank in the plan of pct or ppct
  uint64_t irregular = 0;                  // turns taken away or cut short by the watchdog: such a run may not repeat
  uint64_t timeouts = 0;                   // timers that the policy let fire
  uint64_t overrides = 0;                  // steps that were not the policy's choice (fairness)
  uint64_t chosen_deadlines = 0;           // of the timeouts, those for which time passed while a thread could run
  uint64_t passed_over = 0;                // threads that had to make way because they only waited for others
  Step waiting_rounds = 0;                 // steps that they took before they made way
  Obedience obedience = Obedience::kOpen;  // of the policy `obey`
  uint32_t stacks = 0;                     // entries of `stacks`
  uint32_t chunks = 0;      // parallel: chunks of `events` handed out; more than there are: the order was cut
  uint32_t labels = 0;      // entries of `labels`
  uint32_t met_groups = 0;  // entries of `met_groups`
  uint32_t straddles = 0;   // entries of `straddles`
  uint64_t accesses = 0;    // plain ones that were no points, while two or more threads lived; Learning::kProfile only
  // The outcome as the runtime saw it; the wait status has the last word.
  OutcomeKind outcome = OutcomeKind::kNone;
  uint8_t unused[3] = {};
  uint32_t failing_thread = 0;  // ordinal
  int32_t signal = 0;
  int32_t exit_code = 0;
  uint64_t fault_address = 0;
  uint64_t fault_pc = 0;
  Decision expected, got;  // divergence: what the recording says and what was met
  uint32_t blocks = 0;     // entries of `blocks`
  uint32_t turns = 0;      // schedules that the policy has in all; 0: it draws without end
  uint32_t races = 0;      // entries of `races`
  uint32_t races_cut = 0;  // the detector's memory was used up: it said nothing from there on
  uint32_t rounds = 0;     // entries of `rounds`
  uint32_t unused_after_rounds = 0;
  OwnStacks own_stacks[kMostOwnStacks];  // on fibers: that threads asked for, in no order
  char message[1024] = {};               // assertion text, divergence, refusal
  OnFibers on_fibers;
  Patched patched;
  uint32_t learned = 0;               // entries of `learned`: by all runs of the process
  uint32_t parallel = 0;              // this is a parallel run: its order is in `events`, not in `decisions`
  std::atomic<uint32_t> scanning{0};  // a file is being scanned: this takes time
  std::atomic<uint32_t> hooked{0};    // 1: some file of the program has compiled-in hooks, and they found the runtime
  ChosenDeadline chosen_deadline;     // the last, if there was one
  uint32_t met_pairs = 0;             // entries of `met_pairs`: by all runs of the process
  uint32_t unused_after_pairs = 0;
  char rewind_obstacle[224] = {};  // reset rewind: why this process can't go on; the run is to be made by a copy
};

// A stepped instruction at `pc` may hold an address that would have been patched: then no instruction begins there.
struct Straddle {
  uint64_t pc = 0, site = 0;
};

// What a thread that spins executed, before each instruction (runtime/patch/rounds.h).
struct RoundStep {
  uint64_t pc = 0;
  uint64_t flags = 0;
  uint64_t registers[16] = {};  // in the order of the instruction set
};
struct Round {
  uint64_t steps = 0;  // entries of `step`
  RoundStep step[kMaxRoundSteps] = {};
};

// The name of a user's point: the program's text, copied when the point was met first.
struct Label {
  uint64_t address = 0;  // Op::object of its points
  char text[56] = {};
};

// A block of the heap that an event of a traced run accesses.
struct HeapBlock {
  uint64_t address = 0;
  uint64_t size = 0;
  uint32_t thread = 0;  // ordinal of the thread that allocated it
  uint32_t depth = 0;
  uint64_t frames[8] = {};  // where, innermost first
};

// Where threads of parallel runs computed for very long without a point while others waited. Stays from run to run:
// whoever computes there later makes way soon. Written by tested processes alone.
struct SpinPlaces {
  uint32_t count = 0;
  uint64_t pc[32] = {};
};

// Where the caller of a place is found on the stack, from our own frame (runtime/run/sites.cc). Stays from run to run.
// Written by tested processes alone.
struct CallerSlot {
  uint64_t pc = 0;      // the place; 0: no entry
  uint32_t own = 0;     // the place's own return address; 0: not known
  uint32_t caller = 0;  // that of the function around it; 0: not known
};

struct Layout {
  uint64_t magic = kMagic;
  uint32_t version = kWireVersion;
  uint32_t size = 0;  // sizeof(Layout) as the explorer sees it
  Options options;
  alignas(64) Command command;
  alignas(64) State state;
  alignas(64) SpinPlaces spins;
  alignas(4096) CallerSlot callers[kMaxCallerSlots];  // by mix64 of the place
  alignas(4096) Module modules[kMaxModules];
  alignas(4096) Thread threads[kMaxThreads];
  alignas(4096) Held held[kMaxHeld];
  alignas(4096) MisuseEntry misuses[kMaxMisuses];
  alignas(4096) RaceEntry races[kMaxRaces];
  alignas(4096) Decision decisions[kMaxDecisions];
  alignas(4096) Event events[kMaxEvents];          // serial: event n is at n % kMaxEvents
  alignas(4096) uint32_t chunk_owner[kMaxChunks];  // parallel: ordinal of who writes kChunk events from n * kChunk on
  alignas(4096) StackEntry stacks[kMaxStacks];     // id n at n - 1
  alignas(4096) uint64_t frames[kMaxFrames];
  alignas(4096) Decision follow[kMaxDecisions];
  alignas(4096) ThreadCount thread_counts[kMaxCountedThreads];  // the frozen profile, by name
  alignas(4096) ObjectCount object_counts[kMaxCountedObjects];  // by object, then thread
  alignas(4096) Constraint directive[kMaxConstraints];
  alignas(4096) uint64_t groups[kMaxGroups];  // names of the frozen profile, in order
  alignas(4096) SitePair pairs[kMaxPairs];    // the frozen profile, the least tried first
  alignas(4096) SitePair met_pairs[kMaxPairs];
  alignas(4096) MetGroup met_groups[kMaxMetGroups];               // of this run, in the order in which they were met
  alignas(4096) ThreadCount counted_threads[kMaxCountedThreads];  // of a profiling run (conduct/counter.h)
  alignas(4096) ObjectCount counted_objects[kMaxCountedObjects];
  alignas(4096) Label labels[kMaxLabels];
  alignas(4096) SharedPlace places[kMaxPlaces];   // the frozen profile: plain accesses there are points
  alignas(4096) SharedPlace learned[kMaxPlaces];  // by this run
  alignas(4096) HeapBlock blocks[kMaxBlocks];
  alignas(4096) Straddle straddles[kMaxStraddles];
  alignas(4096) Round rounds[kMaxRounds];
};

// The control socket (SOCK_SEQPACKET), fork server only. The explorer sends Request;
// the server clones a child whose parent is the explorer (CLONE_PARENT) and answers with
// its pid, or minus an errno. The server ends when the socket closes.
struct Request {
  uint64_t run = 0;
};
struct Reply {
  int64_t pid = 0;
};

}  // namespace snarl::wire
