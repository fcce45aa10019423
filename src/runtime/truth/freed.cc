#include "runtime/truth/freed.h"

#include <dlfcn.h>

#include <cstring>

#include "base/state_marks.h"
#include "runtime/platform/text.h"
#include "runtime/state/freed_key.h"
#include "runtime/state/hook.h"
#include "runtime/state/turn.h"
#include "runtime/trace/trace.h"
#include "runtime/truth/misuse_truth.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE bool knows_sizes;

// The blocks that were freed last: who freed what is used afterwards is mostly among them.
struct FreedBlock {
  const void* begin;
  uint64_t pc;
  uint32_t ordinal;
};
constexpr uint32_t kBlocks = 64;
SNARL_RUN_STATE FreedBlock blocks[kBlocks];
SNARL_RUN_STATE uint32_t blocks_freed = 0;

void remember(const Thread& self, const void* block, uint64_t pc) {
  blocks[blocks_freed++ % kBlocks] = {block, pc, self.ordinal};
}

const FreedBlock* last_free_of(const void* block) {
  for (uint32_t n = blocks_freed; n-- > 0 && blocks_freed - n <= kBlocks;)
    if (blocks[n % kBlocks].begin == block) return &blocks[n % kBlocks];
  return nullptr;
}

bool is_watched(const Thread& self) {
  if (engine::shared->command.settings.parallel || !engine::conductor().model().watches_misuse()) return false;
  return __atomic_load_n(&self.claim, __ATOMIC_RELAXED) == turn::kNone;  // else others run beside it
}

[[gnu::noinline, gnu::cold]] void note_freed(Thread& self, uint64_t object, uint64_t pc) {
  Inside inside(self);
  mark_freed(object);
  engine::conductor().model().note_freed(self.ordinal, object, pc);
  engine::conductor().forget_object(object);
  if (engine::shared->command.settings.trace)
    trace_step(self, Op{.kind = OpKind::kFree, .object = object, .pc = pc}, 0, Reason::kNone, 0);
}

}  // namespace

void look_who_frees() {
  Dl_info frees, measures;
  if (real().malloc_usable_size == nullptr) return;
  const bool known = dladdr(reinterpret_cast<void*>(real().free), &frees) != 0 &&
                     dladdr(reinterpret_cast<void*>(real().malloc_usable_size), &measures) != 0;
  knows_sizes = known && (frees.dli_fbase == measures.dli_fbase || contains(frees.dli_fname, "libsnarl_rt_heap"));
}

void forget_freed_blocks() { blocks_freed = 0; }

bool notice_freed(const pthread_mutex_t* mutex) {
  constexpr size_t kKeyAt = 8;
  uint64_t word;
  memcpy(&word, reinterpret_cast<const char*>(mutex) + kKeyAt, sizeof word);
  if (freed_key == 0 || word != freed_key) return false;
  const FreedBlock* freed = last_free_of(mutex);
  if (freed == nullptr || !engine::conductor().model().watches_misuse()) return false;
  mark_freed(address_of(mutex));
  engine::conductor().model().note_freed(freed->ordinal, address_of(mutex), freed->pc);
  return true;
}

bool is_told_of(const Thread* self, const void* block) {
  return self != nullptr && knows_sizes && block != nullptr && is_watched(*self);
}

void look_into(Thread& self, uint64_t begin, uint64_t end, uint64_t pc) {
  remember(self, reinterpret_cast<const void*>(begin), pc);
  engine::conductor().model().objects().met().for_each_in(begin, end, [&](uint64_t object) {
    if (object + kFreedMarkEnd <= end) note_freed(self, object, pc);
  });
}

}  // namespace snarl::runtime
