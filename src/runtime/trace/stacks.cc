#include "runtime/trace/stacks.h"

#include <unwind.h>

#include "base/state_marks.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"
#include "runtime/trace/modules.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

constexpr uint32_t kDeepest = 128;  // our own frames and the program's, before they are cut

SNARL_RUN_STATE uint64_t outermost = ~uint64_t{0};

struct Walk {
  uint64_t frames[kDeepest];
  uint32_t count = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const bool is_above = _Unwind_GetCFA(context) >= outermost && current != nullptr && current->id == kMainThread;
  if (walk.count == kDeepest || is_above) return _URC_END_OF_STACK;
  walk.frames[walk.count++] = _Unwind_GetIP(context);
  return _URC_NO_REASON;
}

// Without a place to begin at (a thread that was stopped between two points), behind our own frames.
uint32_t index_of(const Walk& walk, uint64_t from) {
  for (uint32_t i = 0; i < walk.count; ++i)
    if (from == 0 ? !is_in_runtime(walk.frames[i]) : walk.frames[i] == from) return i;
  return 0;
}

}  // namespace

void set_outermost(const void* frame) {
  outermost = frame == nullptr ? ~uint64_t{0} : reinterpret_cast<uint64_t>(frame);
}

StackRef write_stack(uint64_t from, uint32_t most) {
  Walk walk;
  _Unwind_Backtrace(visit, &walk);
  wire::Layout& wire = *engine::shared;
  StackRef ref{wire.state.frames, 0};
  for (uint32_t i = index_of(walk, from); i < walk.count && ref.depth < most; ++i) {
    if (wire.state.frames == wire::kMaxFrames) break;
    list_module_of(walk.frames[i]);
    wire.frames[wire.state.frames++] = walk.frames[i];
    ++ref.depth;
  }
  return ref;
}

}  // namespace snarl::runtime
