#include "runtime/trace/heap.h"

#include "base/state_marks.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace snarl::runtime::heap {
namespace {

using instrument::HeapTable;

constexpr size_t kSlots = size_t{1} << 18;

SNARL_RUN_STATE HeapTable blocks;

}  // namespace

void begin() {
  if (!engine::shared->command.settings.trace) return;
  void* const at = map_own_memory(kSlots * sizeof(HeapBlock));
  if (at == nullptr) return;
  blocks = HeapTable({static_cast<HeapBlock*>(at), kSlots});
}

uint32_t list_block_of(uint64_t address) {
  wire::Layout& wire = *engine::shared;
  HeapBlock* block = blocks.find(address);
  if (block == nullptr) return 0;
  if (block->listed != 0) return block->listed;
  if (wire.state.blocks == wire::kMaxBlocks) return 0;
  wire::HeapBlock& entry = wire.blocks[wire.state.blocks];
  entry = {.address = block->address, .size = block->size, .thread = block->thread, .depth = block->depth};
  raw::copy(entry.frames, block->frames, sizeof entry.frames);
  return block->listed = ++wire.state.blocks;
}

void insert(const HeapBlock& block) { blocks.insert(block); }
void remove(uint64_t address) { blocks.remove(address); }

}  // namespace snarl::runtime::heap
