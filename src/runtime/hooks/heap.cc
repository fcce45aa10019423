// What the program frees, and what its allocator (src/heap) tells of blocks.
#include "runtime/trace/heap.h"

#include "base/state_marks.h"
#include "runtime/memory/instrumented.h"
#include "runtime/memory/races.h"
#include "runtime/memory/sharing.h"
#include "runtime/state/hook.h"
#include "runtime/truth/freed.h"

namespace snarl::runtime {
namespace {

// dlsym frees, too, what an earlier error has allocated: that much may stay.
[[gnu::cold]] void free_early(void* block) {
  SNARL_PROCESS_STATE static bool resolving = false;
  if (resolving) return;
  resolving = true;
  resolve_real();
  resolving = false;
  real_table.free(block);
}

// What is really to be freed now; 0: nothing.
uint64_t told_of(Thread& self, void* block, uint64_t pc) {
  const uint64_t begin = address_of(block), size = real_table.malloc_usable_size(block);
  look_into(self, begin, begin + size, pc);
  return races::is_on ? races::freed(self, begin, size, pc) : begin;
}

}  // namespace

SNARL_HOOK void free(void* block) noexcept {
  if (__builtin_expect(!real_table.resolved, 0)) return free_early(block);
  Thread* self = current;
  if (is_told_of(self, block)) block = reinterpret_cast<void*>(told_of(*self, block, SNARL_PC));
  if (block != nullptr) real_table.free(block);
}

SNARL_HOOK void snarl_rt_allocated(uint64_t address, uint64_t size, uint64_t pc) {
  const Thread* self = current;
  if (races::is_on) races::forget(address, size);
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
  if (races::is_on) races::given_back(address, size);
  heap::remove(address);
}

}  // namespace snarl::runtime
