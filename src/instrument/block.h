// What compiled-in hooks and the runtime share: one block, which the runtime owns.
//
// Hooks are linked into the tested program (libsnarl_tsan.a) and must cost next to nothing without the
// tool: each module has a pointer to the block, null until the runtime is asked for it (attach.cc). All the
// fast path needs is in the block, so that an access that is no point never leaves the program's own code.
// The hooks of one build meet the runtime of another only if `version` agrees.
#pragma once

#include <cstdint>

namespace snarl::instrument {

constexpr uint32_t kBlockVersion = 1;

using Granule = uint16_t;                 // who has touched these 8 bytes: nobody, one thread, several
constexpr int kGranuleBits = 3;

// A call that has not returned. `frame` tells whether it was left by longjmp: a live one has a higher stack pointer.
struct Frame {
  uint64_t caller;
  uint64_t frame;
};
constexpr uint32_t kMostFrames = 512;     // of the shadow call stack; deeper calls are only counted
struct CallStack {
  uint32_t depth;
  Frame frames[kMostFrames];
};

struct Block {
  uint32_t version;
  bool atomics;                           // atomic operations are points
  bool functions;                         // function entries may be points
  bool calls;                             // the shadow call stack is kept
  bool locks;                             // annotated locks are points
  Granule me;                             // of the thread that has the turn
  int64_t* allowance;                     // quiet points that nobody need be asked for
  const uint64_t* places;                 // of known points, open-addressed by place_index; 0: free
  uint64_t place_mask;
  const Granule* owners;                  // by granule
  uint64_t granule_mask;
  CallStack* stack;                       // of the thread that has the turn
  void (*point)(uint32_t kind, uint64_t pc, uint64_t address, uint32_t size);
  void (*after)(uint32_t kind, uint64_t pc, uint64_t address);
  // A plain access that the fast path could not decide about.
  void (*undecided)(uint32_t kind, uint64_t pc, uint64_t address, uint64_t size);
  void (*function)(uint64_t pc, uint64_t caller);
  // An annotated lock (__tsan_mutex_*): kind is an OpKind.
  void (*lock)(uint32_t kind, uint64_t pc, uint64_t object, uint32_t recursive);
};

// The low bits of return addresses are spread well enough, and the next ones keep two modules apart.
constexpr uint64_t place_index(uint64_t pc) { return pc ^ pc >> 17; }

// Exported by the runtime: the block, or null if this process is not controlled or the versions differ.
using Attach = Block* (*)(uint32_t version, const void* module);
constexpr const char* kAttach = "snarl_attach";

}  // namespace snarl::instrument
