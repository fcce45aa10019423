// The hooks before plain accesses of up to 16 bytes: nearly all hooks that an instrumented program ever calls.
//
// In each hook the usual way takes no branch, because a taken branch costs as much as the call. Which way is the usual
// one depends on whether the tool was found. So each hook is made for a program that runs without the tool, and
// specialise.cc writes one of the bodies below over all of them. If it may not, this body does everything.
//
// A hook gets the address in rdi and may use the registers that any function may. rax is the block; the place is on the
// stack.
#include "instrument/offsets.h"

#ifdef SNARL_TSAN_HIDDEN
#define SNARL_TSAN_SYMBOL(name) .globl name; .hidden name
#else
#define SNARL_TSAN_SYMBOL(name) .globl name
#endif

// An access is not a point if its place is not known and the memory is the thread's own. 8: is a point; 9: must be
// asked about. The first access of a thread to memory that another thread has touched is asked about at any place,
// point or not: so places that are points show others that should be.
.macro SNARL_SHARED_BODY
    mov (%rsp), %ecx
    and $(SNARL_FRONT_SLOTS - 1), %ecx
    cmpq $0, SNARL_BLOCK_FRONT(%rax, %rcx, 8)
    jne 2f
    mov SNARL_BLOCK_OWNERS(%rax), %rdx
    mov %rdi, %rcx
    shr $3, %rcx
    and SNARL_BLOCK_MASK(%rax), %rcx
    movzwl SNARL_BLOCK_ME(%rax), %esi
    cmp %si, (%rdx, %rcx, 2)
    jne 9f
    ret
2:  mov (%rsp), %rsi
    cmp SNARL_BLOCK_FRONT(%rax, %rcx, 8), %rsi
    jne 9f
    mov SNARL_BLOCK_OWNERS(%rax), %rdx
    mov %rdi, %rcx
    shr $3, %rcx
    and SNARL_BLOCK_MASK(%rax), %rcx
    movzwl (%rdx, %rcx, 2), %esi
    cmp $SNARL_SEVERAL, %esi
    jne 4f
3:  subq $1, SNARL_BLOCK_ALLOWANCE(%rax)
    js 8f
    ret
4:  cmp SNARL_BLOCK_ME(%rax), %si
    je 3b
    jmp 9f
.endm

.macro SNARL_ALL_BODY
    subq $1, SNARL_BLOCK_ALLOWANCE(%rax)
    js 8f
    ret
.endm

.macro SNARL_NONE_BODY
    ret
.endm

.macro SNARL_ALONE_BODY
    test %rax, %rax
    jne 1f
    ret
1:  SNARL_SHARED_BODY
.endm

.macro SNARL_HOOK name, body, kind, size
    .p2align 6
    SNARL_TSAN_SYMBOL(\name)
    .type \name, @function
\name:
    .cfi_startproc
    mov snarl_tsan_block(%rip), %rax
    \body
    .fill SNARL_HOOK_TAIL - (. - \name), 1, 0xcc
8:  mov SNARL_BLOCK_POINT(%rax), %rax
    jmp 7f
9:  mov SNARL_BLOCK_UNDECIDED(%rax), %rax
7:  mov %rdi, %rdx
    mov $\size, %ecx
    mov $\kind, %edi
    mov (%rsp), %rsi
    jmp *%rax
    .cfi_endproc
    .size \name, . - \name
    .fill SNARL_HOOK_BYTES - (. - \name), 1, 0xcc
.endm

.macro SNARL_ACCESS name, kind, size
    SNARL_HOOK __tsan_\name\size, SNARL_ALONE_BODY, \kind, \size
.endm

    .section snarl_tsan, "ax", @progbits
    .p2align 6
    SNARL_TSAN_SYMBOL(snarl_tsan_first_access)
snarl_tsan_first_access:

// A compound access is an update: other threads may come between its read and its write.
.irp size, 1, 2, 4, 8, 16
    SNARL_ACCESS read, SNARL_KIND_READ, \size
    SNARL_ACCESS write, SNARL_KIND_WRITE, \size
    SNARL_ACCESS read_write, SNARL_KIND_WRITE, \size
    SNARL_ACCESS volatile_read, SNARL_KIND_READ, \size
    SNARL_ACCESS volatile_write, SNARL_KIND_WRITE, \size
    SNARL_ACCESS unaligned_read, SNARL_KIND_READ, \size
    SNARL_ACCESS unaligned_write, SNARL_KIND_WRITE, \size
    SNARL_ACCESS unaligned_read_write, SNARL_KIND_WRITE, \size
    SNARL_ACCESS unaligned_volatile_read, SNARL_KIND_READ, \size
    SNARL_ACCESS unaligned_volatile_write, SNARL_KIND_WRITE, \size
.endr
    SNARL_HOOK __tsan_vptr_read, SNARL_ALONE_BODY, SNARL_KIND_READ, 8

    SNARL_TSAN_SYMBOL(snarl_tsan_last_access)
snarl_tsan_last_access:

// Never called: the bodies that the hooks get.
    SNARL_HOOK snarl_tsan_for_none, SNARL_NONE_BODY, SNARL_KIND_READ, 1
    SNARL_HOOK snarl_tsan_for_shared, SNARL_SHARED_BODY, SNARL_KIND_READ, 1
    SNARL_HOOK snarl_tsan_for_all, SNARL_ALL_BODY, SNARL_KIND_READ, 1

    .section .note.GNU-stack, "", @progbits
