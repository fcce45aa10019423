// Where a trampoline goes when the conductor must be asked. It was
//
//   lea -128(%rsp), %rsp    the red zone of the code that was interrupted
//   push $point
//   call *slow_path
//
// in the middle of a function that expects nothing to be called there: every register is kept, vectors included
// (other code may run before this returns). For the unwinder this frame was called from the place of the point:
// 144 bytes up is the stack pointer there, and snarl_patch_point puts the place where the return address belongs.
    .text
    .globl snarl_patch_slow_path
    .hidden snarl_patch_slow_path
    .type snarl_patch_slow_path, @function
snarl_patch_slow_path:
    .cfi_startproc simple
    .cfi_def_cfa rsp, 144
    .cfi_undefined rip
    pushfq
    push %rax
    push %rcx
    push %rdx
    push %rbx
    push %rbp
    push %rsi
    push %rdi
    push %r8
    push %r9
    push %r10
    push %r11
    push %r12
    push %r13
    push %r14
    push %r15
    push $0                                     // the place
    mov %rsp, %rbx
    .cfi_def_cfa rbx, 280
    .cfi_offset rbx, -184
    .cfi_offset rbp, -192
    .cfi_offset r12, -248
    .cfi_offset r13, -256
    .cfi_offset r14, -264
    .cfi_offset r15, -272
    .cfi_offset rip, -280
    cld
    sub snarl_patch_vector_bytes(%rip), %rsp
    and $-64, %rsp
    xor %eax, %eax
    mov $8, %ecx
    lea 512(%rsp), %rdi
    rep stosq                                   // the header that xsave only partly writes
    mov snarl_patch_vector_mask(%rip), %eax
    xor %edx, %edx
    xsave64 (%rsp)
    mov %rbx, %rdi
    call snarl_patch_point
    mov snarl_patch_vector_mask(%rip), %eax
    xor %edx, %edx
    xrstor64 (%rsp)
    lea 8(%rbx), %rsp
    .cfi_def_cfa rsp, 272
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %r11
    pop %r10
    pop %r9
    pop %r8
    pop %rdi
    pop %rsi
    pop %rbp
    pop %rbx
    pop %rdx
    pop %rcx
    pop %rax
    popfq
    .cfi_def_cfa rsp, 144
    ret
    .cfi_endproc
    .size snarl_patch_slow_path, .-snarl_patch_slow_path
    .section .note.GNU-stack, "", @progbits
