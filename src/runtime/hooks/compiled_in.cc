#include "runtime/hooks/compiled_in.h"

#include <dlfcn.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/memory/instrumented.h"
#include "runtime/memory/races.h"
#include "runtime/memory/sharing.h"
#include "runtime/run/point.h"
#include "runtime/run/points.h"
#include "runtime/state/hook.h"
#include "runtime/trace/careful_read.h"

namespace snarl::runtime::compiled_in {
namespace {

using instrument::Block;
using instrumented::block;

// Whose hooks asked before this process was controlled. A file may be unloaded, and another one be at its place then.
struct Asker {
  Block** block;         // its pointer
  const void* link_map;  // the loader's name for the file
};
constexpr uint32_t kMostAskers = 256;
SNARL_LARGE Asker askers[kMostAskers];
SNARL_PROCESS_STATE uint32_t asker_count;

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

// Not in a parallel run: there is no thread that alone has the turn.
bool is_serial() { return !engine::shared->command.settings.parallel; }

void point(uint32_t what, uint64_t pc, uint64_t address, uint32_t size) {
  instrumented::forget_undecided();
  snarl_rt_point(what, pc, address, size);
}

void after(uint32_t what, uint64_t pc, uint64_t address) { snarl_rt_point_after(what, pc, address); }

// A profiling run, in which no place is known yet: shows how many steps a run would have with all of them.
void pass_unseen(uint32_t kind, uint64_t pc, uint64_t address, uint32_t size) {
  if (!engine::conductor().model().is_alone()) ++engine::shared->state.accesses;
  if (instrumented::is_one_too_many()) point(kind, pc, address, size);
}

// Before a plain access: what it is to this run, but for races.
void decide(uint32_t kind, uint64_t pc, uint64_t address, uint64_t size, const Thread& self) {
  const auto most = static_cast<uint32_t>(size < 0xffffffff ? size : 0xffffffff);
  if (is_serial()) sharing::touch(self, pc, address, size);
  if (instrumented::is_point(pc)) return point(kind, pc, address, most);
  if (is_serial() && engine::shared->command.settings.learning == Learning::kProfile)
    pass_unseen(kind, pc, address, most);
}

void undecided(uint32_t kind, uint64_t pc, uint64_t address, uint64_t size) {
  Thread* self = current;
  if (self == nullptr || self->inside != self->outermost) return;
  decide(kind, pc, address, size, *self);
  if (races::is_on) races::access(*self, static_cast<OpKind>(kind), pc, address, size);
}

void performed(uint32_t what, uint64_t pc, uint64_t address, uint32_t size) {
  Thread* self = current;
  if (self == nullptr || self->inside != self->outermost || !races::is_on) return;
  races::atomic(*self, instrument::kind_in(what), instrument::order_in(what), pc, address, size);
}

void function(uint64_t pc, uint64_t caller) {
  if ((engine::shared->command.settings.points & kFunctionPoints) != 0)
    point(static_cast<uint32_t>(OpKind::kFunction), pc, caller, 0);
}

void lock(uint32_t kind, uint64_t pc, uint64_t object, uint32_t) {
  Thread* self = current;
  if (self == nullptr || self->inside != 0) return;
  Inside inside(*self);
  const Op op{.kind = static_cast<OpKind>(kind), .shape = LockShape::kOwn, .object = object, .pc = pc};
  engine::point(*self, op);
  if (has_point_after(op.kind)) engine::point_after(*self, op);
}

// Hooks may come by before the first run.
void connect_early() {
  if (block.version != 0) return;
  connect();
  instrumented::prepare();
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

void connect() {
  block.version = instrument::kBlockVersion;
  block.point = point;
  block.after = after;
  block.undecided = undecided;
  block.function = function;
  block.lock = lock;
  block.look = careful::read;
  block.performed = performed;
}

// A module's hooks ask for the block. Before main they get it too, set so that nothing is a point yet.
SNARL_HOOK Block* snarl_attach(uint32_t version, const void* module) {
  if (load_runtime != nullptr) load_runtime();
  if (version != instrument::kBlockVersion) return nullptr;
  if (engine::shared == nullptr) return remember(module), nullptr;
  engine::shared->state.hooked.store(1, std::memory_order_relaxed);
  if (!instrumented::has_begun()) return connect_early(), &block;
  instrumented::note_loaded(address_of(module));
  return &block;
}

}  // namespace snarl::runtime::compiled_in
