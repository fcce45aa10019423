// The registers of a fiber that does not run, and the switch from one to another.
//
// Below a saved stack pointer lies nothing; from it upwards: mxcsr and x87 control word (8 bytes), r15,
// r14, r13, r12, rbx, rbp, return address. Debuggers rely on this order (docs/architecture.md names the files).
#pragma once

#include <cstdint>

namespace snarl::fiber {

struct Context {
  uint64_t stack_pointer;
  uint64_t thread_pointer;  // FS base: the thread control block, and thread-local storage below it
};

struct FloatControl {
  uint32_t mxcsr;
  uint16_t x87;
  uint16_t unused;
};

// A new thread starts with its creator's rounding modes.
inline void inherit_float_control(Context& context) {
  auto& saved = *reinterpret_cast<FloatControl*>(context.stack_pointer);
  asm volatile("stmxcsr %0" : "=m"(saved.mxcsr));
  asm volatile("fnstcw %0" : "=m"(saved.x87));
}

extern "C" {

// Saves the caller's registers in `from` and goes on where `to` was saved.
void snarl_fiber_switch(Context* from, const Context* to);

// Saves the caller's registers in `save` and ends the OS thread: its stack and control block stay. The kernel
// zeroes *gone, and wakes who waits for it, when the thread is really gone.
void snarl_fiber_depart(Context* save, uint32_t* gone);

// May user code write the FS base? Else the switch asks the kernel.
extern __attribute__((visibility("hidden"))) uint32_t snarl_fiber_writes_fs;
}

// Asks the kernel whether it may.
void find_fs_access();

}  // namespace snarl::fiber
