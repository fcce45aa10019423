// Loops are recorded as the processor executes them: it says what they do, and not we.
#include "scan/spin_loop.h"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <vector>

namespace snarl::scan {
namespace {

constexpr greg_t kTrapFlag = 0x100;
constexpr size_t kSteps = 1500;

sigjmp_buf out_of_loop;
std::vector<SpinStep> steps;

void note(ucontext_t& context) {
  constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  greg_t* const all = context.uc_mcontext.gregs;
  SpinStep step{.pc = static_cast<uint64_t>(all[REG_RIP]), .flags = static_cast<uint64_t>(all[REG_EFL] & 0xcff)};
  for (int i = 0; i < 16; ++i) step.registers[i] = static_cast<uint64_t>(all[kRegisters[i]]);
  steps.push_back(step);
}

void on_trap(int, siginfo_t*, void* context) {
  auto& at = *static_cast<ucontext_t*>(context);
  if (steps.size() == kSteps) siglongjmp(out_of_loop, 1);
  note(at);
  at.uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
}

// `loop` never ends.
void record(void (*loop)()) {
  struct sigaction ours = {}, before = {};
  ours.sa_sigaction = on_trap;
  ours.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &ours, &before);
  steps.clear();
  if (sigsetjmp(out_of_loop, 1) == 0) {
    raise(SIGTRAP);
    loop();
  }
  sigaction(SIGTRAP, &before, nullptr);
}

std::optional<SpinLoop> found_in(void (*loop)()) {
  record(loop);
  return find_spin_loop(steps, [](uint64_t pc) { return std::string_view(reinterpret_cast<const char*>(pc), 16); });
}

extern "C" {
volatile int spin_test_flag = 0;
volatile int spin_test_flags[32] = {};
volatile int* volatile spin_test_pointer = &spin_test_flag;
volatile long spin_test_count = 0;
extern const char load_end[], other_load_end[], loop_end[], long_load_end[];
void spins_on_memory();
void spins_by_a_pointer();
void spins_by_a_call();
void counts_in_a_register();
void counts_in_memory();
void counts_inside();
void looks_at_many();
void computes_in_vectors();
void asks_the_clock();
void copies_memory();
}

asm(R"(
    .text
spins_on_memory:
    cmpl $0, spin_test_flag(%rip)
    .globl load_end
load_end:
    je spins_on_memory
    ret
spins_by_a_pointer:
    mov spin_test_pointer(%rip), %rax
    movl (%rax), %ecx
    .globl other_load_end
other_load_end:
    test %ecx, %ecx
    je spins_by_a_pointer
    ret
get_flag:
    push %rbp
    mov %rsp, %rbp
    mov %rdi, -8(%rbp)
    mov -8(%rbp), %rax
    mov (%rax), %eax
    .globl long_load_end
long_load_end:
    mov %eax, -12(%rbp)
    mov -12(%rbp), %eax
    pop %rbp
    ret
spins_by_a_call:
    sub $8, %rsp
1:  lea spin_test_flag(%rip), %rdi
    call get_flag
    .globl loop_end
loop_end:
    test %eax, %eax
    je 1b
    add $8, %rsp
    ret
counts_in_a_register:
1:  inc %rcx
    cmpl $0, spin_test_flag(%rip)
    je 1b
    ret
counts_in_memory:
1:  incq spin_test_count(%rip)
    cmpl $0, spin_test_flag(%rip)
    je 1b
    ret
counts_inside:
1:  movl $0, -4(%rsp)
2:  movslq -4(%rsp), %rax
    lea spin_test_flags(%rip), %rdx
    movl (%rdx, %rax, 4), %ecx
    xor %ecx, %ecx
    xor %eax, %eax
    xor %edx, %edx
    addl $1, -4(%rsp)
    cmpl $9, -4(%rsp)
    jl 2b
    jmp 1b
looks_at_many:
1:  xor %eax, %eax
    lea spin_test_flags(%rip), %rdx
2:  movl (%rdx, %rax, 4), %ecx
    inc %eax
    cmp $17, %eax
    jl 2b
    jmp 1b
computes_in_vectors:
1:  paddq %xmm1, %xmm0
    cmpl $0, spin_test_flag(%rip)
    je 1b
    ret
asks_the_clock:
1:  rdtsc
    xor %eax, %eax
    xor %edx, %edx
    cmpl $0, spin_test_flag(%rip)
    je 1b
    ret
copies_memory:
1:  push spin_test_count(%rip)
    pop %rax
    xor %eax, %eax
    cmpl $0, spin_test_flag(%rip)
    je 1b
    ret
)");

uint64_t address_of(const char* label) { return reinterpret_cast<uint64_t>(label); }

void expect_load(void (*loop)(), const char* load, const char* place) {
  const auto found = found_in(loop);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->load, address_of(load));
  EXPECT_EQ(found->loop, address_of(place));
}

TEST(SpinLoop, AComparisonWithMemory) { expect_load(spins_on_memory, load_end, load_end); }
TEST(SpinLoop, NotTheWayToIt) { expect_load(spins_by_a_pointer, other_load_end, other_load_end); }
TEST(SpinLoop, UnoptimisedByACallThatIsNamed) { expect_load(spins_by_a_call, long_load_end, loop_end); }

TEST(SpinLoop, MayCountItsFlagsInMemory) {
  const auto found = found_in(counts_inside);
  ASSERT_TRUE(found);
  uint64_t addresses = 0;
  for (const SpinStep& step : steps) addresses += step.pc + 3 == found->load ? 1 : 0;
  EXPECT_GE(addresses, 9u);
}

TEST(SpinLoop, ButNotAnyNumberOfThem) { EXPECT_FALSE(found_in(looks_at_many)); }

TEST(SpinLoop, WhatGetsOnIsWork) {
  EXPECT_FALSE(found_in(counts_in_a_register));
  EXPECT_FALSE(found_in(counts_in_memory));
  EXPECT_FALSE(found_in(computes_in_vectors));
}

TEST(SpinLoop, WhatMayGetOnCountsAsWork) {
  EXPECT_FALSE(found_in(asks_the_clock));
  EXPECT_FALSE(found_in(copies_memory));
}

// As a damaged recording may be: no proof, and no crash.
TEST(SpinLoop, RecordingsThatEndAnywhere) {
  record(spins_by_a_call);
  const std::vector<SpinStep> all = steps;
  const auto code = [](uint64_t) { return std::string_view(); };
  for (size_t length = 0; length < 40; ++length)
    EXPECT_FALSE(find_spin_loop(std::span(all).first(length), code)) << length;
}

}  // namespace
}  // namespace snarl::scan
