#include "runtime/trace/stacks.h"

#include <unwind.h>

#include <span>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"
#include "runtime/trace/modules.h"
#include "wire/layout.h"

namespace snarl::runtime {
namespace {

constexpr uint32_t kDeepest = 128;  // our own frames and the program's, before they are cut
constexpr uint32_t kMemos = 4096;
constexpr uint32_t kMostSlots = 40;  // our own frames and an event's; a stack of more is not kept

SNARL_RUN_STATE uint64_t outermost = ~uint64_t{0};

// Frame n has the return address frames[n], which lies at slots[n].
struct Walk {
  uint64_t from;
  uint32_t most;
  uint64_t frames[kDeepest];
  uint64_t slots[kDeepest];
  uint32_t count = 0;
  uint32_t first = 0;  // from here on it is the stack
  bool found = false;  // `first`
};

// A stack as it was.
struct Memo {
  uint64_t from = 0;
  uint64_t frame = 0;  // of stack_of_event()
  uint32_t stack = 0;
  uint32_t count = 0;  // of the slots, innermost first
  uint32_t offsets[kMostSlots] = {};
  uint64_t values[kMostSlots] = {};
};

SNARL_LARGE Memo memos[kMemos];
SNARL_LARGE uint32_t stack_index[wire::kMaxStacks * 2];
SNARL_PROCESS_STATE uint32_t written;  // stacks of the run that the two are of

// Without a place to begin at (a thread that was stopped between two points), behind our own frames.
bool is_first(const Walk& walk, uint64_t frame) { return walk.from == 0 ? !is_in_runtime(frame) : frame == walk.from; }

// The unwinder says where the frame's stack pointer was: the return address lies below.
_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const uint64_t stack_pointer = _Unwind_GetCFA(context);
  const bool is_above = stack_pointer >= outermost && current != nullptr && current->id == kMainThread;
  if (walk.count == kDeepest || is_above) return _URC_END_OF_STACK;
  if (walk.found && walk.count - walk.first == walk.most) return _URC_END_OF_STACK;
  const uint64_t frame = _Unwind_GetIP(context);
  if (!walk.found && is_first(walk, frame)) walk.found = true, walk.first = walk.count;
  walk.slots[walk.count] = stack_pointer - sizeof(uint64_t);
  walk.frames[walk.count++] = frame;
  return _URC_NO_REASON;
}

// A new run begins without stacks: what is known of the last one's is forgotten.
void begin_if_new() {
  if (__builtin_expect(written == engine::shared->state.stacks, 1)) return;
  raw::fill(memos, 0, sizeof memos);
  raw::fill(stack_index, 0, sizeof stack_index);
  written = 0;
}

uint32_t add(std::span<const uint64_t> stack) {
  wire::Layout& wire = *engine::shared;
  for (const uint64_t frame : stack) list_module_of(frame);
  StackTable table(wire.stacks, wire.frames, stack_index, wire.state.stacks, wire.state.frames);
  const uint32_t id = table.id_of(stack);
  written = wire.state.stacks;
  return id;
}

uint32_t add(const Walk& walk) {
  const uint32_t depth = walk.count - walk.first < walk.most ? walk.count - walk.first : walk.most;
  return add(std::span<const uint64_t>(walk.frames + walk.first, depth));
}

Memo& memo_of(uint64_t from, uint64_t frame) {
  static_assert(kMemos == 1 << 12);
  return memos[(from + frame * 31) * 0x9e3779b97f4a7c15 >> 52];  // a multiplication mixes its upper bits best
}

uint64_t word_at(uint64_t address) { return *reinterpret_cast<const volatile uint64_t*>(address); }

// From the inside out: a slot is looked at only if those inside it say that its frame is there.
bool is_as_it_was(const Memo& memo) {
  for (uint32_t i = 0; i < memo.count; ++i)
    if (word_at(memo.frame + memo.offsets[i]) != memo.values[i]) return false;
  return true;
}

// The innermost frame of the walk is our own, which ends before the stack is looked at again. A frame that was patched
// or stopped has made no call, so that its address is not on the stack: if it is the first, `from` says as much.
void keep(Memo& memo, const Walk& walk, uint64_t frame, uint32_t stack) {
  memo.count = 0;
  memo.from = 0;
  for (uint32_t i = 1; i < walk.count; ++i) {
    const uint64_t offset = walk.slots[i] - frame;
    if (memo.count == kMostSlots || offset > UINT32_MAX) return;
    if (word_at(walk.slots[i]) != walk.frames[i]) {
      if (i == walk.first) continue;
      return;
    }
    memo.offsets[memo.count] = static_cast<uint32_t>(offset);
    memo.values[memo.count++] = walk.frames[i];
  }
  memo.from = walk.found ? walk.from : 0;
  memo.frame = frame;
  memo.stack = stack;
}

}  // namespace

void set_outermost(const void* frame) {
  outermost = frame == nullptr ? ~uint64_t{0} : reinterpret_cast<uint64_t>(frame);
}

uint32_t write_stack(uint64_t from, uint32_t most) {
  begin_if_new();
  Walk walk{.from = from, .most = most};
  _Unwind_Backtrace(visit, &walk);
  return add(walk);
}

uint32_t id_of_stack(std::span<const uint64_t> stack) {
  const wire::State& state = engine::shared->state;
  if (state.stacks >= wire::kMaxStacks / 2 || state.frames >= wire::kMaxFrames / 2) return 0;
  begin_if_new();
  return add(stack);
}

[[gnu::noinline]] uint32_t stack_of_event(uint64_t from) {
  begin_if_new();
  const auto frame = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  Memo& memo = memo_of(from, frame);
  if (memo.from == from && memo.frame == frame && is_as_it_was(memo)) return memo.stack;
  Walk walk{.from = from, .most = wire::kEventDepth};
  _Unwind_Backtrace(visit, &walk);
  const uint32_t stack = add(walk);
  if (!engine::shared->command.settings.unwind) keep(memo, walk, frame, stack);
  return stack;
}

}  // namespace snarl::runtime
