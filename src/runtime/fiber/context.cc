#include "runtime/fiber/context.h"

#include <stdlib.h>
#include <sys/auxv.h>

// Signals may come at any moment between these instructions: the stack pointer always points below what is in
// use, and nothing of the thread-local storage is touched while stack and FS base belong to two fibers.
asm(R"(
    .macro keep register
    pushq %\register
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset \register, 0
    .endm

    .macro give_back register
    popq %\register
    .cfi_adjust_cfa_offset -8
    .cfi_restore \register
    .endm

    .macro save_registers
    keep rbp
    keep rbx
    keep r12
    keep r13
    keep r14
    keep r15
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    .endm

    .text
    .p2align 4
    .globl snarl_fiber_switch
    .hidden snarl_fiber_switch
    .type snarl_fiber_switch, @function
snarl_fiber_switch:
    .cfi_startproc
    endbr64
    save_registers
    movl (%rsp), %eax
    movzwl 4(%rsp), %ecx
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    cmpl $0, snarl_fiber_writes_fs(%rip)
    movq 8(%rsi), %rsi
    je 1f
    wrfsbase %rsi
2:
    cmpl (%rsp), %eax               # to load them takes longer than the rest, and nearly all fibers have the same
    jne 3f
    cmpw 4(%rsp), %cx
    je 4f
3:
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
4:
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    give_back r15
    give_back r14
    give_back r13
    give_back r12
    give_back rbx
    give_back rbp
    ret
1:
    .cfi_adjust_cfa_offset 56
    .cfi_rel_offset r15, 8
    .cfi_rel_offset r14, 16
    .cfi_rel_offset r13, 24
    .cfi_rel_offset r12, 32
    .cfi_rel_offset rbx, 40
    .cfi_rel_offset rbp, 48
    movl $0x1002, %edi              # ARCH_SET_FS
    movl $158, %eax                 # arch_prctl
    syscall                         # overwrites eax and ecx: both controls are loaded
    jmp 3b
    .cfi_endproc
    .size snarl_fiber_switch, . - snarl_fiber_switch

    .p2align 4
    .globl snarl_fiber_depart
    .hidden snarl_fiber_depart
    .type snarl_fiber_depart, @function
snarl_fiber_depart:
    .cfi_startproc
    endbr64
    save_registers
    movq %rsp, (%rdi)
    movq %rsi, %rdi
    movl $218, %eax                 # set_tid_address
    syscall
    xorl %edi, %edi
    movl $60, %eax                  # exit: this thread only
    syscall
    ud2
    .cfi_endproc
    .size snarl_fiber_depart, . - snarl_fiber_depart
    .purgem keep
    .purgem give_back
    .purgem save_registers
)");

namespace snarl::fiber {

uint32_t snarl_fiber_writes_fs = 0;

void find_fs_access() {
  constexpr unsigned long kFsGsBase = 2;  // HWCAP2_FSGSBASE
  const bool allowed = (getauxval(AT_HWCAP2) & kFsGsBase) != 0 && getenv("SNARL_RT_ASK_KERNEL") == nullptr;  // for tests
  snarl_fiber_writes_fs = allowed ? 1 : 0;
}

}  // namespace snarl::fiber
