// What the program's allocator (src/heap) tells of blocks.
#include "runtime/trace/heap.h"

#include "runtime/memory/instrumented.h"
#include "runtime/memory/sharing.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {

SNARL_HOOK void snarl_rt_allocated(uint64_t address, uint64_t size, uint64_t pc) {
  const Thread* self = current;
  if (self == nullptr || engine::shared->command.settings.parallel) return;
  sharing::forget(address, size);
  if (!engine::shared->command.settings.trace) return;
  heap::HeapBlock block{.address = address, .size = size, .thread = self->ordinal, .depth = 1, .frames = {pc}};
  block.depth += instrumented::copy_callers(block.frames + 1, heap::HeapBlock::kFrames - 1);
  heap::insert(block);
}

SNARL_HOOK void snarl_rt_freed(uint64_t address, uint64_t size) {
  if (current == nullptr || engine::shared->command.settings.parallel) return;
  sharing::forget(address, size);
  heap::remove(address);
}

}  // namespace snarl::runtime
