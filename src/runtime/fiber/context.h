// The registers of a fiber that does not run, and the switch from one to another.
//
// The switch is not a function: a return after it would go back where another fiber was called from, which the
// processor, who keeps its own list of calls, can't foretell. A jump it can; and a thread that has run to its end in
// between leaves that list as it was. What the compiler wants to keep, it keeps on the stack: all registers count as
// overwritten.
#pragma once

#include <cstddef>
#include <cstdint>

namespace snarl::runtime::fiber {

struct FloatControl {
  uint32_t mxcsr;
  uint16_t x87;
  uint16_t unused;
};

// Debuggers rely on the first four, in this order (tools/snarl-gdb.py).
struct Context {
  uint64_t stack_pointer;
  uint64_t thread_pointer;  // FS base: the thread control block, and thread-local storage below it
  uint64_t frame_pointer;   // rbp, the one register that the compiler may not be told to give up
  uint64_t resume;          // where it goes on
  FloatControl float_control;
};
static_assert(offsetof(Context, thread_pointer) == 8 && offsetof(Context, frame_pointer) == 16);
static_assert(offsetof(Context, resume) == 24 && offsetof(Context, float_control) == 32);

// A new thread starts with its creator's rounding modes.
inline void inherit_float_control(Context& context) {
  asm volatile("stmxcsr %0" : "=m"(context.float_control.mxcsr));
  asm volatile("fnstcw %0" : "=m"(context.float_control.x87));
}

// May user code write the FS base? Else the switch asks the kernel.
extern __attribute__((visibility("hidden"))) uint32_t writes_fs;  // so that the switch needs no register to find it

// Asks the kernel whether it may.
void find_fs_access();

#define SNARL_ALL_BUT_ARGUMENTS                                                                                     \
  "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", \
      "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st",   \
      "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "cc", "memory"

#define SNARL_SAVE_REGISTERS_IN_RDI \
  "leaq 1f(%%rip), %%rax\n\t"       \
  "movq %%rsp, (%%rdi)\n\t"         \
  "movq %%rbp, 16(%%rdi)\n\t"       \
  "movq %%rax, 24(%%rdi)\n\t"
#define SNARL_SAVE_FLOAT_CONTROL_IN_RDI \
  "stmxcsr 32(%%rdi)\n\t"               \
  "fnstcw 36(%%rdi)\n\t"

// Saves the registers in `from` and goes on where `to` was saved. Signals may come at any moment between these
// instructions: nothing is put on a stack, and nothing of the thread-local storage is touched while stack and FS base
// belong to two fibers.
[[gnu::always_inline]] inline void switch_context(Context& from, const Context& to) {
  Context* source = &from;
  const Context* target = &to;
  asm volatile(
      SNARL_SAVE_REGISTERS_IN_RDI
      "cmpl $0, %[writes_fs]\n\t"
      "movq (%%rsi), %%rsp\n\t"
      "movq 16(%%rsi), %%rbp\n\t"
      "movq 8(%%rsi), %%rdx\n\t"
      "je 2f\n\t"
      "wrfsbase %%rdx\n\t"  // waits for what came before it, on some processors: so the slow rest comes after it
      SNARL_SAVE_FLOAT_CONTROL_IN_RDI
      "movl 32(%%rdi), %%r8d\n\t"
      "movzwl 36(%%rdi), %%r9d\n\t"
      "cmpl 32(%%rsi), %%r8d\n\t"  // to load them takes longer than the rest, and nearly all have the same
      "jne 3f\n\t"
      "cmpw 36(%%rsi), %%r9w\n\t"
      "jne 3f\n\t"
      "jmp *24(%%rsi)\n\t"
      ".pushsection .text.unlikely, \"ax\", @progbits\n"
      "2:\n\t" SNARL_SAVE_FLOAT_CONTROL_IN_RDI
      "movq %%rsi, %%r12\n\t"
      "movq %%rdx, %%rsi\n\t"
      "movl $0x1002, %%edi\n\t"  // ARCH_SET_FS
      "movl $158, %%eax\n\t"     // arch_prctl
      "syscall\n\t"
      "movq %%r12, %%rsi\n"
      "3:\n\t"
      "ldmxcsr 32(%%rsi)\n\t"
      "fldcw 36(%%rsi)\n\t"
      "jmp *24(%%rsi)\n\t"
      ".popsection\n"
      "1:\n\t"
      "endbr64"
      : "+D"(source), "+S"(target)
      : [writes_fs] "m"(writes_fs)
      : SNARL_ALL_BUT_ARGUMENTS);
}

// Saves the registers in `save` and ends the OS thread: its stack and control block stay. The kernel zeroes *gone, and
// wakes the thread that waits for it, when the thread is really gone.
[[gnu::always_inline]] inline void depart(Context& save, uint32_t* gone) {
  Context* source = &save;
  asm volatile(SNARL_SAVE_REGISTERS_IN_RDI SNARL_SAVE_FLOAT_CONTROL_IN_RDI
               "movq %%rsi, %%rdi\n\t"
               "movl $218, %%eax\n\t"  // set_tid_address
               "syscall\n\t"
               "xorl %%edi, %%edi\n\t"
               "movl $60, %%eax\n\t"  // exit: this thread only
               "syscall\n\t"
               "ud2\n"
               "1:\n\t"
               "endbr64"
               : "+D"(source), "+S"(gone)
               :
               : SNARL_ALL_BUT_ARGUMENTS);
}

}  // namespace snarl::runtime::fiber
