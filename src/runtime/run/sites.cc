#include "runtime/run/sites.h"

#include <unwind.h>

#include "base/hash.h"
#include "base/state_marks.h"
#include "runtime/memory/instrumented.h"
#include "runtime/state/state.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime {
namespace {

constexpr uint64_t kFarthest = 4096;  // a frame that is larger may have another size next time

struct Search {
  uint64_t pc;
  uint64_t frame;
  wire::CallerSlot found = {};
};

// The unwinder says where the frame's stack pointer was: its return address lies below.
_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  Search& search = *static_cast<Search*>(data);
  const uint64_t distance = _Unwind_GetCFA(context) - sizeof(uint64_t) - search.frame;
  if (search.found.own != 0) {
    const bool near = distance - search.found.own <= kFarthest;
    if (near) search.found.caller = static_cast<uint32_t>(distance);
    return _URC_END_OF_STACK;
  }
  if (_Unwind_GetIP(context) == search.pc) search.found.own = static_cast<uint32_t>(distance);
  return _URC_NO_REASON;
}

uint64_t word_at(uint64_t address) { return *reinterpret_cast<const uint64_t*>(address); }

// The call at `pc` has left its return address on our stack, and the function around it lies above, in a frame that has
// one size at each place. So where the return address of that function lies is looked up by the unwind tables once for
// each place, also for later runs, and read from then on.
[[gnu::noinline]] uint64_t caller_on_stack(uint64_t pc) {
  const auto frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  wire::CallerSlot& slot = engine::shared->callers[mix64(pc) % wire::kMaxCallerSlots];
  if (__builtin_expect(slot.pc != pc || (slot.own != 0 && word_at(frame + slot.own) != pc), 0)) {
    Search search{pc, frame};
    _Unwind_Backtrace(visit, &search);
    slot = search.found;
    slot.pc = pc;
  }
  return slot.caller == 0 ? 0 : word_at(frame + slot.caller);
}

uint64_t caller_of(uint64_t pc) {
  uint64_t caller = 0;
  return instrumented::copy_callers(&caller, 1) != 0 ? caller : caller_on_stack(pc);
}

}  // namespace

conduct::SiteSources site_sources() { return {place_name, caller_of}; }

conduct::PairList pair_list() {
  SNARL_PROCESS_STATE static bool has_listed = false;
  wire::Layout& wire = *engine::shared;
  if (!wire.command.settings.list_pairs) return {};
  if (!has_listed) wire.state.met_pairs = 0;
  has_listed = true;
  return {wire.met_pairs, &wire.state.met_pairs};
}

}  // namespace snarl::runtime
