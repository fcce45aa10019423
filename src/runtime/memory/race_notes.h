// A race, or an access to freed memory, as the wire has it, among the misuses: both places, with their stacks and the
// locks that the threads hold.
//
// Called by the thread that has the turn.
#pragma once

#include "runtime/state/thread.h"
#include "schedule/operation.h"
#include "schedule/weak_order.h"

namespace snarl::runtime::race_notes {

struct OtherAccess {
  uint32_t thread = 0;          // its ordinal
  OpKind kind = OpKind::kNone;  // kFree: it freed the memory
  uint64_t pc = 0, address = 0;
  uint32_t size = 0;
  uint32_t stack = 0;         // id; 0: none
  bool stands_there = false;  // the locks that it holds now are those that it holds at the access
};

void begin();

// `op` is the access of `self`. Nothing, if the pair of places is noted already.
void note(Thread& self, const Op& op, const OtherAccess& other, const WeakOrder& weak = {});

}  // namespace snarl::runtime::race_notes
