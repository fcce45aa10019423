#include "runtime/fiber/context.h"

#include <sys/auxv.h>

// Signals may come at any moment between these instructions: the stack pointer always points below what is in
// use, and nothing of the thread-local storage is touched while stack and FS base belong to two fibers.
asm(R"(
    .text
    .p2align 4
    .globl snarl_fiber_switch
    .hidden snarl_fiber_switch
    .type snarl_fiber_switch, @function
snarl_fiber_switch:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    cmpl $0, snarl_fiber_writes_fs(%rip)
    movq 8(%rsi), %rsi
    je 1f
    wrfsbase %rsi
2:
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    popq %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    popq %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    popq %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
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
    syscall
    jmp 2b
    .cfi_endproc
    .size snarl_fiber_switch, . - snarl_fiber_switch

    .p2align 4
    .globl snarl_fiber_depart
    .hidden snarl_fiber_depart
    .type snarl_fiber_depart, @function
snarl_fiber_depart:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
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
)");

namespace snarl::fiber {

uint32_t snarl_fiber_writes_fs = 0;

void find_fs_access() {
  constexpr unsigned long kFsGsBase = 2;  // HWCAP2_FSGSBASE
  snarl_fiber_writes_fs = (getauxval(AT_HWCAP2) & kFsGsBase) != 0 ? 1 : 0;
}

}  // namespace snarl::fiber
