#include "runtime/memory/known_places.h"

#include "base/state_marks.h"
#include "instrument/place_table.h"
#include "runtime/platform/own_memory.h"
#include "runtime/state/quiet.h"
#include "runtime/state/state.h"

namespace snarl::runtime::known_places {
namespace {

using instrument::PlaceTable;

SNARL_PROCESS_STATE PlaceTable table;
// Of a process that has prepared: the hooks' front, as a list of what it is to hold. Runs without places have an empty
// one.
SNARL_PROCESS_STATE uint64_t* prepared;
SNARL_PROCESS_STATE uint32_t prepared_count;
SNARL_RUN_STATE bool is_on;

uint64_t* map(uint64_t count) { return static_cast<uint64_t*>(map_own_memory(count * sizeof(uint64_t))); }

template <typename F>
void for_each_of(const wire::Module& module, F&& f) {
  const wire::Layout& wire = *engine::shared;
  const uint64_t name = hash_file_name(module.path);
  for (uint32_t i = 0; i < wire.command.places && i < wire::kMaxPlaces; ++i)
    if (wire.places[i].module == name) f(wire.places[i].offset + module.bias);
}

template <typename F>
void for_each(F&& f) {
  const wire::Layout& wire = *engine::shared;
  for (uint32_t i = 0; i < wire.state.modules; ++i) for_each_of(wire.modules[i], f);
}

size_t slots() { return PlaceTable::slots_for(engine::shared->command.places); }

void make_table() {
  uint64_t* room = map(slots());
  if (room != nullptr) table = PlaceTable({room, slots()});
}

void show(uint64_t pc) {
  uint64_t& slot = instrumented::block.front[instrument::front_slot(pc)];
  if (slot == 0) slot = pc;
}

void add(uint64_t pc) { insert(table, instrumented::block.front, pc); }

}  // namespace

void prepare() {
  if (engine::shared->command.places == 0) return;
  prepared = map(slots());
  if (prepared == nullptr) return;
  make_table();
  for_each([](uint64_t pc) {
    if (table.insert(pc)) prepared[prepared_count++] = pc;
  });
}

// Once in a process, if it has not prepared: its runs are of one epoch.
void begin() {
  is_on = engine::shared->command.places != 0;
  if (!is_on) return;
  for (uint32_t i = 0; i < prepared_count; ++i) show(prepared[i]);
  if (table.data() != nullptr) return;
  make_table();
  for_each(add);
}

bool has(uint64_t pc) { return is_on && table.has(pc); }

void note_loaded(const wire::Module& module) {
  if (is_on) for_each_of(module, add);
}

}  // namespace snarl::runtime::known_places
