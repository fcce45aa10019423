#include "runtime/trace/heap.h"

#include <sys/mman.h>

#include "instrument/heap_table.h"
#include "runtime/memory/instrumented.h"
#include "runtime/memory/sharing.h"
#include "runtime/platform/raw.h"
#include "runtime/run/engine.h"
#include "runtime/run/hook.h"

namespace snarl::runtime::heap {
namespace {

using instrument::HeapBlock;
using instrument::HeapTable;

constexpr size_t kSlots = size_t{1} << 18;

HeapTable blocks;

}  // namespace

void begin() {
  if (!engine::shared->command.settings.trace) return;
  const long at = raw::call(SYS_mmap, 0, kSlots * sizeof(HeapBlock), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at < 0 && at > -4096) return;
  blocks = HeapTable({reinterpret_cast<HeapBlock*>(at), kSlots});
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

SNARL_HOOK void snarl_rt_allocated(uint64_t address, uint64_t size, uint64_t pc) {
  const Thread* self = current;
  if (self == nullptr || engine::shared->command.settings.parallel) return;
  sharing::forget(address, size);
  if (!engine::shared->command.settings.trace) return;
  HeapBlock block{.address = address, .size = size, .thread = self->ordinal, .depth = 1, .frames = {pc}};
  block.depth += instrumented::copy_callers(block.frames + 1, HeapBlock::kFrames - 1);
  blocks.insert(block);
}

SNARL_HOOK void snarl_rt_freed(uint64_t address, uint64_t size) {
  if (current == nullptr || engine::shared->command.settings.parallel) return;
  sharing::forget(address, size);
  blocks.remove(address);
}

}  // namespace snarl::runtime::heap
