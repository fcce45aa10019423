// Loads that may fault. In the range from first to last nothing is pushed and nothing is called: whoever faults there
// goes on at snarl_careful_fault, which returns 0 (careful_read.cc). The address comes in rdi, the value in rax.
    .text
    .globl snarl_careful_first, snarl_careful_last, snarl_careful_fault
    .hidden snarl_careful_first, snarl_careful_last, snarl_careful_fault

.macro SNARL_CAREFUL_LOAD size, load, to
    .globl snarl_careful_load\size
    .hidden snarl_careful_load\size
    .type snarl_careful_load\size, @function
snarl_careful_load\size:
    .cfi_startproc
    \load (%rdi), \to
    ret
    .cfi_endproc
    .size snarl_careful_load\size, . - snarl_careful_load\size
.endm

snarl_careful_first:
    SNARL_CAREFUL_LOAD 1, movzbl, %eax
    SNARL_CAREFUL_LOAD 2, movzwl, %eax
    SNARL_CAREFUL_LOAD 4, movl, %eax
    SNARL_CAREFUL_LOAD 8, movq, %rax
snarl_careful_last:

    .type snarl_careful_fault, @function
snarl_careful_fault:
    .cfi_startproc
    xor %eax, %eax
    ret
    .cfi_endproc
    .size snarl_careful_fault, . - snarl_careful_fault
    .section .note.GNU-stack, "", @progbits
