// What compiled-in hooks and the runtime share: one block, which the runtime owns.
//
// Hooks are linked into the tested program (libsnarl_tsan.a) and must cost next to nothing without the tool. Each
// module has a pointer to the block, null until the runtime is asked for it (attach.cc). The block has all that the
// fast path needs, so an access that is not a point never leaves the program's own code. The hooks of one build work
// with the runtime of another only if `version` agrees.
#pragma once

#include <cstddef>
#include <cstdint>

#include "instrument/offsets.h"
#include "schedule/operation.h"

namespace snarl::instrument {

constexpr uint32_t kBlockVersion = 6;

// What a hook tells of: an OpKind, and the order of an atomic operation, in one number.
constexpr uint32_t what_of(OpKind kind, MemoryOrder order = MemoryOrder::kNone) {
  return static_cast<uint32_t>(kind) | static_cast<uint32_t>(order) << 8;
}
constexpr OpKind kind_in(uint32_t what) { return static_cast<OpKind>(what & 0xff); }
constexpr MemoryOrder order_in(uint32_t what) { return static_cast<MemoryOrder>(what >> 8 & 7); }

using Granule = uint16_t;  // which threads have touched these 8 bytes: none, one, several
constexpr int kGranuleBits = 3;
constexpr Granule kNobody = 0, kSeveral = SNARL_SEVERAL;

// A call that has not returned. `frame` tells whether it was left by longjmp: a live call has a higher stack pointer.
struct Frame {
  uint64_t caller;
  uint64_t frame;
};
constexpr uint32_t kMostFrames = 512;  // of the shadow call stack; deeper calls are only counted
struct CallStack {
  uint32_t depth;
  uint32_t room;  // frames that follow
  Frame* frames() { return reinterpret_cast<Frame*>(this + 1); }
  const Frame* frames() const { return reinterpret_cast<const Frame*>(this + 1); }
};
template <uint32_t kFrames>
struct CallStackOf : CallStack {
  Frame room_for_frames[kFrames];
};
static_assert(sizeof(CallStackOf<1>) == sizeof(CallStack) + sizeof(Frame));

// What the hooks before plain accesses do. It is the same for all runs of a process, so those hooks can be rewritten
// for it (specialise.h).
enum class Accesses : uint8_t {
  kNone,    // no such access is a point, and nothing is learned
  kShared,  // those at the known places are
  kAll,
};

constexpr size_t kFrontSlots = SNARL_FRONT_SLOTS;

struct Block {
  uint32_t version;
  Accesses accesses;
  bool atomics;           // atomic operations are points
  bool functions;         // function entries may be points
  bool calls;             // the shadow call stack is kept
  bool locks;             // annotated locks are points
  Granule me;             // of the thread that has the turn
  int64_t allowance;      // quiet points that need no question
  const Granule* owners;  // by granule
  uint64_t granule_mask;
  CallStack* stack;  // of the thread that has the turn
  void (*point)(uint32_t what, uint64_t pc, uint64_t address, uint32_t size);
  void (*after)(uint32_t what, uint64_t pc, uint64_t address);
  // A plain access that the fast path could not decide about.
  void (*undecided)(uint32_t kind, uint64_t pc, uint64_t address, uint64_t size);
  void (*function)(uint64_t pc, uint64_t caller);
  // An annotated lock (__tsan_mutex_*): kind is an OpKind.
  void (*lock)(uint32_t kind, uint64_t pc, uint64_t object, uint32_t recursive);
  // One of the known places for each value of their low bits; 0: there is none. If another place is there, the table
  // decides.
  uint64_t front[kFrontSlots];
  // Up to 8 bytes that the program is about to access; 0 if they can't be read. A hook never faults.
  uint64_t (*look)(uint64_t address, uint64_t size);
  bool races;  // every access is told of, point or not
  // An atomic operation or a fence was performed, and this is what it was.
  void (*performed)(uint32_t what, uint64_t pc, uint64_t address, uint32_t size);
  // There is no room for another frame in `stack`. Afterwards there is, in another one, if more are kept at all.
  void (*deepen)();
};

constexpr size_t front_slot(uint64_t pc) { return pc & (kFrontSlots - 1); }

static_assert(offsetof(Block, allowance) == SNARL_BLOCK_ALLOWANCE && offsetof(Block, me) == SNARL_BLOCK_ME);
static_assert(offsetof(Block, owners) == SNARL_BLOCK_OWNERS && offsetof(Block, granule_mask) == SNARL_BLOCK_MASK);
static_assert(offsetof(Block, point) == SNARL_BLOCK_POINT && offsetof(Block, undecided) == SNARL_BLOCK_UNDECIDED);
static_assert(offsetof(Block, front) == SNARL_BLOCK_FRONT);

// Exported by the runtime: the block, or null if this process is not controlled or the versions differ.
using Attach = Block* (*)(uint32_t version, const void* module);
constexpr const char* kAttach = "snarl_attach";

}  // namespace snarl::instrument
