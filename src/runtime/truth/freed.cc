#include "runtime/truth/freed.h"

#include <dlfcn.h>

#include "base/state_marks.h"
#include "runtime/platform/text.h"
#include "runtime/state/hook.h"
#include "runtime/state/turn.h"
#include "runtime/trace/trace.h"
#include "runtime/truth/misuse_truth.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE bool knows_sizes;

bool is_watched(const Thread& self) {
  if (engine::shared->command.settings.parallel || !engine::conductor().model().watches_misuse()) return false;
  return __atomic_load_n(&self.claim, __ATOMIC_RELAXED) == turn::kNone;  // else others run beside it
}

[[gnu::noinline, gnu::cold]] void note_freed(Thread& self, uint64_t object, uint64_t pc) {
  Inside inside(self);
  mark_freed(object);
  engine::conductor().model().note_freed(self.id, object, pc);
  engine::conductor().forget_object(object);
  if (engine::shared->command.settings.trace)
    trace_step(self, Op{.kind = OpKind::kFree, .object = object, .pc = pc}, 0, Reason::kNone, 0);
}

void look_into(Thread& self, void* block, uint64_t pc) {
  const uint64_t begin = address_of(block), end = begin + real_table.malloc_usable_size(block);
  engine::conductor().model().objects().met().for_each_in(begin, end, [&](uint64_t object) {
    if (object + kFreedMarkEnd <= end) note_freed(self, object, pc);
  });
}

// dlsym frees, too, what an earlier error has allocated: that much may stay.
[[gnu::cold]] void free_early(void* block) {
  SNARL_PROCESS_STATE static bool resolving = false;
  if (resolving) return;
  resolving = true;
  resolve_real();
  resolving = false;
  real_table.free(block);
}

}  // namespace

void look_who_frees() {
  Dl_info frees, measures;
  if (real().malloc_usable_size == nullptr) return;
  const bool known = dladdr(reinterpret_cast<void*>(real().free), &frees) != 0 &&
                     dladdr(reinterpret_cast<void*>(real().malloc_usable_size), &measures) != 0;
  knows_sizes = known && (frees.dli_fbase == measures.dli_fbase || contains(frees.dli_fname, "libsnarl_rt_heap"));
}

SNARL_HOOK void free(void* block) noexcept {
  if (__builtin_expect(!real_table.resolved, 0)) return free_early(block);
  Thread* self = current;
  if (self != nullptr && knows_sizes && block != nullptr && is_watched(*self)) look_into(*self, block, SNARL_PC);
  real_table.free(block);
}

}  // namespace snarl::runtime
