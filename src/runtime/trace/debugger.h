// What a debugger sees of a run (tools/snarl-gdb.py, docs/gdb.md): functions to stop in, and a table in plain C.
//
// The table is brought up to date at every step while a debugger says that it looks: calling a function of ours when
// the program is stopped would write its registers, which not every gdb can do. Without one, a step costs a load.
#pragma once

#include <cstdint>

#include "runtime/state/thread.h"

extern "C" {

// One thread that lives. The helper reads these fields in this order.
struct SnarlDebugThread {
  uint32_t ordinal;
  int32_t tid;  // of the OS thread; 0 on a fiber
  uint32_t enabled;
  uint32_t has_turn;
  int32_t waits_for;  // ordinal; -1: nobody, or unknown
  uint32_t unused;
  uint64_t object, pc;  // of its pending operation
  uint64_t start_pc;
  uint64_t context;       // a fiber that does not run: its saved registers are there (runtime/fiber/context.h); else 0
  const char* operation;  // its pending one
  char label[16];         // pthread_setname_np
};

struct SnarlDebug {
  uint32_t version;     // of this layout
  uint32_t is_watched;  // set by the debugger
  uint32_t count;       // of `threads`
  uint32_t from, to;    // the last switch
  uint32_t switches;    // 0: there was none
  uint64_t step;        // steps taken
  uint64_t switch_step, switch_pc;
  const char *switch_operation, *switch_reason;
  const char *outcome, *message;  // if the run has ended, as far as we see it
  uint64_t stop_at;               // set by the debugger: the step to call snarl_debug_reached() at; 0: none
  SnarlDebugThread threads[snarl::kMaxThreads];
};

extern __attribute__((visibility("default"))) SnarlDebug snarl_debug;

// Places to stop at: a thread has got the turn from another; step stop_at has just been taken, so its call is still
// under way; the run is about to end with a failure; a misuse has been found, of that name.
__attribute__((visibility("default"))) void snarl_debug_turn();
__attribute__((visibility("default"))) void snarl_debug_reached();
__attribute__((visibility("default"))) void snarl_debug_failed();
__attribute__((visibility("default"))) void snarl_debug_misuse(const char* kind);
}

namespace snarl::runtime::debugger {

[[gnu::cold]] void fill_table();
[[gnu::cold]] void show_step();

inline void note_step() {
  if (__builtin_expect(snarl_debug.is_watched != 0, 0)) show_step();
}

inline void note_turn() {
  if (__builtin_expect(snarl_debug.is_watched == 0, 1)) return;
  fill_table();
  snarl_debug_turn();
}

inline void note_failure() {
  note_step();
  snarl_debug_failed();
}

}  // namespace snarl::runtime::debugger
