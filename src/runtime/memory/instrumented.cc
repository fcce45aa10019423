#include "runtime/memory/instrumented.h"

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/memory/known_places.h"
#include "runtime/memory/races.h"
#include "runtime/memory/sharing.h"
#include "runtime/memory/standing.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "runtime/trace/heap.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime::instrumented {
namespace {

using instrument::Accesses;
using instrument::CallStack;
using instrument::CallStackOf;
using instrument::kMostFrames;

// In a profiling run, so many accesses without a point make one: a loop that spins on what nobody is known to share.
constexpr uint32_t kMostUndecided = 20'000;

SNARL_RUN_STATE uint32_t undecided_in_a_row;
SNARL_PROCESS_STATE bool begun;  // a run is under way
SNARL_RUN_STATE bool tracks;     // who runs matters: there are memory points
SNARL_RUN_STATE bool all;        // every plain access is a point in this run
SNARL_LARGE CallStack* stacks[kMaxThreads];
// Most threads never call deeper than this. So the stacks of a hundred threads lie on a few pages, which each copy of
// the process pays for.
constexpr uint32_t kFirstFrames = 31;
SNARL_LARGE CallStackOf<kFirstFrames> first_stacks[kMaxThreads];
SNARL_LARGE CallStackOf<kMostFrames> deep_stacks[kMaxThreads];
SNARL_LARGE CallStackOf<kMostFrames> shared_stack;  // of whoever has none of their own

PointSet points() { return engine::shared->command.settings.points; }

// Not in a parallel run: there is no thread that alone has the turn.
bool is_serial() { return !engine::shared->command.settings.parallel; }

CallStack* first_stack(ThreadId id) {
  first_stacks[id].depth = 0;
  first_stacks[id].room = kFirstFrames;
  return &first_stacks[id];
}

// Of the thread whose first one is used up.
[[gnu::cold]] void deepen() {
  const CallStack& first = *block.stack;
  if (first.room != kFirstFrames) return;
  const auto id = static_cast<const CallStackOf<kFirstFrames>*>(&first) - first_stacks;
  CallStack* deep = &deep_stacks[id];
  raw::copy(deep, &first, sizeof *first_stacks);
  deep->room = kMostFrames;
  block.stack = stacks[id] = deep;
}

// Who looks for races is told of every access: none is left out by the body of a hook.
Accesses what_accesses_are() {
  if (engine::shared->command.settings.races) return Accesses::kShared;
  if ((points() & kAllMemoryPoints) != 0) return Accesses::kAll;
  return (points() & kMemoryPoints) != 0 ? Accesses::kShared : Accesses::kNone;
}

// Nothing is learned: everybody's own.
void own_everything() {
  block.owners = &block.me;
  block.granule_mask = 0;
}

// Whatever is no known point is undecided.
void own_nothing() {
  static constexpr instrument::Granule kNobodys[1] = {0};
  block.owners = kNobodys;
  block.granule_mask = 0;
}

void begin_memory() {
  own_everything();
  all = (points() & kAllMemoryPoints) != 0 ||
        ((points() & kMemoryPoints) != 0 && engine::shared->command.settings.all_memory);
  if (races::is_on) own_nothing();
  if (!has_memory_points(points())) return;
  known_places::begin();
  const Learning learning = is_serial() ? engine::shared->command.settings.learning : Learning::kNothing;
  sharing::begin(learning);
  if (all || races::is_on) return own_nothing();
  if (learning == Learning::kNothing || sharing::owners() == nullptr) return;
  if (learning != Learning::kOwners) return own_nothing();
  block.owners = sharing::owners();
  block.granule_mask = sharing::granule_mask();
}

}  // namespace

void prepare() {
  block.accesses = what_accesses_are();
  shared_stack.room = kMostFrames;
  block.stack = &shared_stack;
  block.deepen = deepen;
  own_everything();
  if (learns_places(points())) sharing::reserve();
  races::prepare();
}

void begin(const Thread& main) {
  begun = true;
  block.accesses = what_accesses_are();
  block.stack = &shared_stack;
  block.atomics = (points() & kAtomicPoints) != 0;
  block.functions = (points() & kFunctionPoints) != 0;
  block.locks = is_serial();
  block.calls = is_serial() && has_memory_points(points());
  races::begin();
  standing::begin();
  block.races = races::is_on;
  tracks = has_memory_points(points()) || races::is_on;
  begin_memory();
  heap::begin();
  if (stacks[main.id] != nullptr) stacks[main.id]->depth = 0;
  running(main);
}

bool has_begun() { return begun; }

bool is_point(uint64_t pc) { return all || known_places::has(pc); }

void forget_undecided() { undecided_in_a_row = 0; }
bool is_one_too_many() { return ++undecided_in_a_row >= kMostUndecided; }

void note_loaded(uint64_t address) {
  const wire::Module* fresh = list_module_of(address);
  if (fresh != nullptr) known_places::note_loaded(*fresh);
}

void running(const Thread& self) {
  if (__builtin_expect(!tracks, 1)) return;
  block.me = sharing::mark_of(self);
  undecided_in_a_row = 0;
  if (!block.calls) return;
  CallStack*& stack = stacks[self.id];
  if (stack == nullptr) stack = first_stack(self.id);
  block.stack = stack;
}

void ended(const Thread& self) {
  if (!tracks) return;
  sharing::ended(self);
  if (stacks[self.id] != nullptr) stacks[self.id]->depth = 0;
}

uint32_t copy_callers(uint64_t* to, uint32_t most) {
  if (!block.calls) return 0;
  const CallStack& stack = *block.stack;
  uint32_t count = 0;
  for (uint32_t i = stack.depth; i > 0 && count < most; --i)
    if (i <= stack.room) to[count++] = stack.frames()[i - 1].caller;
  return count;
}

}  // namespace snarl::runtime::instrumented
