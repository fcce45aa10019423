#include "runtime/memory/instrumented.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include "base/large.h"
#include "instrument/place_table.h"
#include "runtime/memory/sharing.h"
#include "runtime/parallel/run.h"
#include "runtime/platform/careful_read.h"
#include "runtime/platform/raw.h"
#include "runtime/reset/start.h"
#include "runtime/run/engine.h"
#include "runtime/run/hook.h"
#include "runtime/run/points.h"
#include "runtime/trace/heap.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime::instrumented {

SNARL_LARGE instrument::Block block;

namespace {

using instrument::Accesses;
using instrument::Block;
using instrument::CallStack;
using instrument::PlaceTable;

// In a profiling run, so many accesses without a point make one: a loop that spins on what nobody is known to share.
constexpr uint32_t kMostUndecided = 20'000;

PlaceTable places;
uint32_t undecided_in_a_row;
bool begun;   // a run is under way
bool tracks;  // who runs matters: there are memory points
bool all;     // every plain access is a point in this run
SNARL_LARGE CallStack* stacks[kMaxThreads];
SNARL_LARGE CallStack shared_stack;  // of whoever has none of their own

// Whose hooks asked before this process was controlled. A file may be unloaded, and another one be at its place then.
struct Asker {
  Block** block;         // its pointer
  const void* link_map;  // the loader's name for the file
};
constexpr uint32_t kMostAskers = 256;
SNARL_LARGE Asker askers[kMostAskers];
uint32_t asker_count;

const void* loaded_file_of(const void* address) {
  dl_find_object found;
  return _dl_find_object(const_cast<void*>(address), &found) == 0 ? found.dlfo_link_map : nullptr;
}

bool is_loaded(const Asker& asker) { return loaded_file_of(asker.block) == asker.link_map; }

void remember(const void* module) {
  const void* file = loaded_file_of(module);
  if (file == nullptr || asker_count == kMostAskers) return;
  askers[asker_count++] = {static_cast<Block**>(const_cast<void*>(module)), file};
}

PointSet points() { return engine::shared->command.settings.points; }

// Not in a parallel run: there is no thread that alone has the turn.
bool is_serial() { return !engine::shared->command.settings.parallel; }

void point(uint32_t what, uint64_t pc, uint64_t address, uint32_t size) {
  undecided_in_a_row = 0;
  snarl_rt_point(what, pc, address, size);
}

void after(uint32_t what, uint64_t pc, uint64_t address) { snarl_rt_point_after(what, pc, address); }

// A profiling run, in which no place is known yet: shows how many steps a run would have with all of them.
void pass_unseen(uint32_t kind, uint64_t pc, uint64_t address, uint32_t size) {
  if (!engine::conductor().model().is_alone()) ++engine::shared->state.accesses;
  if (++undecided_in_a_row >= kMostUndecided) point(kind, pc, address, size);
}

void undecided(uint32_t kind, uint64_t pc, uint64_t address, uint64_t size) {
  const Thread* self = current;
  if (self == nullptr || self->inside != self->outermost) return;
  const auto most = static_cast<uint32_t>(size < 0xffffffff ? size : 0xffffffff);
  if (is_serial()) sharing::touch(*self, pc, address, size);
  if (all || places.has(pc)) return point(kind, pc, address, most);
  if (is_serial() && engine::shared->command.settings.learning == Learning::kProfile)
    pass_unseen(kind, pc, address, most);
}

void function(uint64_t pc, uint64_t caller) {
  if ((points() & kFunctionPoints) != 0) point(static_cast<uint32_t>(OpKind::kFunction), pc, caller, 0);
}

void lock(uint32_t kind, uint64_t pc, uint64_t object, uint32_t) {
  Thread* self = current;
  if (self == nullptr || self->inside != 0) return;
  Inside inside(*self);
  const Op op{.kind = static_cast<OpKind>(kind), .shape = LockShape::kOwn, .object = object, .pc = pc};
  engine::point(*self, op);
  if (has_point_after(op.kind)) engine::point_after(*self, op);
}

CallStack* make_stack() {
  const long at = raw::call(SYS_mmap, 0, sizeof(CallStack), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at < 0 && at > -4096 ? &shared_stack : reinterpret_cast<CallStack*>(at);
}

// The places of one module, which lies at `bias`.
void add_places(const wire::Module& module) {
  const wire::Layout& wire = *engine::shared;
  const uint64_t name = hash_file_name(module.path);
  for (uint32_t i = 0; i < wire.command.places && i < wire::kMaxPlaces; ++i)
    if (wire.places[i].module == name) insert(places, block.front, wire.places[i].offset + module.bias);
}

// Once in a process: its runs are of one epoch.
void make_places() {
  if (places.data() != nullptr) return;
  const wire::Layout& wire = *engine::shared;
  const size_t slots = PlaceTable::slots_for(wire.command.places);
  const long at =
      raw::call(SYS_mmap, 0, slots * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at < 0 && at > -4096) return;
  places = PlaceTable({reinterpret_cast<uint64_t*>(at), slots});
  for (uint32_t i = 0; i < wire.state.modules; ++i) add_places(wire.modules[i]);
}

Accesses what_accesses_are() {
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
  all = block.accesses == Accesses::kAll ||
        (block.accesses == Accesses::kShared && engine::shared->command.settings.all_memory);
  if (block.accesses == Accesses::kNone) return;
  make_places();
  const Learning learning = is_serial() ? engine::shared->command.settings.learning : Learning::kNothing;
  sharing::begin(learning);
  if (all) return own_nothing();
  if (learning == Learning::kNothing || sharing::owners() == nullptr) return;
  if (learning != Learning::kOwners) return own_nothing();
  block.owners = sharing::owners();
  block.granule_mask = sharing::granule_mask();
}

// What stays the same for all runs.
void connect() {
  block.version = instrument::kBlockVersion;
  block.accesses = what_accesses_are();
  block.stack = &shared_stack;
  block.point = point;
  block.after = after;
  block.undecided = undecided;
  block.function = function;
  block.lock = lock;
  block.look = careful::read;
}

// Hooks may come by before the first run: nothing is a point yet.
void connect_early() {
  if (block.version != 0) return;
  connect();
  own_everything();
  if (block.accesses == Accesses::kShared) sharing::reserve();
}

}  // namespace

bool have_asked() {
  for (uint32_t i = 0; i < asker_count; ++i)
    if (is_loaded(askers[i])) return true;
  return false;
}

void answer() {
  if (!have_asked()) return;
  connect_early();
  for (uint32_t i = 0; i < asker_count; ++i)
    if (is_loaded(askers[i])) *askers[i].block = &block;
}

void begin(const Thread& main) {
  begun = true;
  connect();
  block.atomics = (points() & kAtomicPoints) != 0;
  block.functions = (points() & kFunctionPoints) != 0;
  block.locks = is_serial();
  block.calls = is_serial() && has_memory_points(points());
  tracks = has_memory_points(points());
  begin_memory();
  heap::begin();
  if (stacks[main.id] != nullptr) stacks[main.id]->depth = 0;
  running(main);
}

void running(const Thread& self) {
  if (__builtin_expect(!tracks, 1)) return;
  block.me = sharing::mark_of(self);
  undecided_in_a_row = 0;
  if (!block.calls) return;
  CallStack*& stack = stacks[self.id];
  if (stack == nullptr) stack = make_stack();
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
    if (i <= instrument::kMostFrames) to[count++] = stack.frames[i - 1].caller;
  return count;
}

// A module's hooks ask for the block. Before main they get it too, set so that nothing is a point yet.
SNARL_HOOK Block* snarl_attach(uint32_t version, const void* module) {
  if (load_runtime != nullptr) load_runtime();
  if (version != instrument::kBlockVersion) return nullptr;
  if (engine::shared == nullptr) return remember(module), nullptr;
  engine::shared->state.hooked.store(1, std::memory_order_relaxed);
  if (!begun) return connect_early(), &block;
  if (const wire::Module* fresh = list_module_of(address_of(module)); fresh != nullptr && places.data() != nullptr)
    add_places(*fresh);
  return &block;
}

}  // namespace snarl::runtime::instrumented
