#include "runtime/patch/rounds.h"

#include <algorithm>

#include "base/state_marks.h"
#include "runtime/patch/room.h"
#include "runtime/patch/stepping.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/signals.h"
#include "runtime/state/state.h"
#include "runtime/trace/debugger.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime::patch::rounds {
namespace {

constexpr greg_t kTrapFlag = 0x100, kResumeFlag = 0x10000;
constexpr uint32_t kMostInVain = 8;  // each takes work that it stops some milliseconds
constexpr uint64_t kSameLoop = 64;   // bytes around the beginning of a recording

// In the order of the instruction set.
constexpr int kRegisters[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

SNARL_RUN_STATE int recorded = 0;      // the thread (of the system) that is recorded; 0: none
SNARL_RUN_STATE bool keeps = false;    // that recording, whatever it shows
SNARL_RUN_STATE uint32_t in_vain = 0;  // recordings that were not kept
SNARL_RUN_STATE int over = 0;          // whose recording is over, and who has not heard of it yet

int own_tid() { return static_cast<int>(raw::call(SYS_gettid)); }

wire::Round& round_under_way() { return engine::shared->rounds[engine::shared->state.rounds]; }

bool is_recorded(uint64_t pc) {
  const uint32_t count = engine::shared->state.rounds;
  const wire::Round* rounds = engine::shared->rounds;
  return std::any_of(rounds, rounds + count,
                     [pc](const wire::Round& round) { return pc - round.step[0].pc + kSameLoop <= 2 * kSameLoop; });
}

bool may_record(uint64_t pc) {
  return engine::shared->state.rounds < wire::kMaxRounds && !stepping::is_on() && snarl_debug.is_watched == 0 &&
         !is_recorded(pc);
}

uint64_t pc_in(const greg_t* registers) { return static_cast<uint64_t>(registers[REG_RIP]); }

void add_step(wire::Round& round, const greg_t* registers) {
  wire::RoundStep& step = round.step[round.steps++];
  step.pc = pc_in(registers);
  step.flags = static_cast<uint64_t>(registers[REG_EFL] & ~(kTrapFlag | kResumeFlag));
  for (int i = 0; i < 16; ++i) step.registers[i] = static_cast<uint64_t>(registers[kRegisters[i]]);
}

// Our own code, and instructions that stand for the program's, are no part of a loop without points.
bool is_ours(uint64_t pc) { return is_in_runtime(pc) || original(pc) != pc; }

void end(greg_t* registers) {
  registers[REG_EFL] &= ~kTrapFlag;
  __atomic_store_n(&recorded, 0, __ATOMIC_RELEASE);
}

bool is_same(const wire::RoundStep& a, const wire::RoundStep& b) {
  return a.pc == b.pc && a.flags == b.flags && std::equal(a.registers, a.registers + 16, b.registers);
}

bool ends_with_two_rounds(const wire::Round& round) {
  const wire::RoundStep* const end = round.step + round.steps;
  for (uint64_t length = 1; 2 * length <= round.steps; ++length)
    if (is_same(end[-1], *(end - 1 - length)) && std::equal(end - length, end, end - 2 * length, is_same)) return true;
  return false;
}

// The signal comes when the trap's handler returns, on the thread's own stack: there, others may be let run.
void finish(greg_t* registers) {
  if (!keeps && !ends_with_two_rounds(round_under_way())) {
    ++in_vain;
    return end(registers);
  }
  ++engine::shared->state.rounds;
  over = recorded;
  raw::call(SYS_tgkill, raw::call(SYS_getpid), over, wire::kWayGivingSignal);
  end(registers);
}

}  // namespace

bool is_under_way() { return __atomic_load_n(&recorded, __ATOMIC_ACQUIRE) != 0; }

bool record(ucontext_t& interrupted, bool keep) {
  greg_t* const registers = interrupted.uc_mcontext.gregs;
  int nobody = 0;
  if ((!keep && in_vain >= kMostInVain) || !may_record(pc_in(registers)) || is_ours(pc_in(registers)) ||
      !__atomic_compare_exchange_n(&recorded, &nobody, own_tid(), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  signals::catch_traps();
  keeps = keep;
  round_under_way().steps = 0;
  add_step(round_under_way(), registers);
  registers[REG_EFL] |= kTrapFlag;
  return true;
}

bool take_recorded() {
  if (over == 0 || over != own_tid()) return false;
  over = 0;
  return true;
}

bool on_trap(const siginfo_t& info, void* context) {
  if (!is_under_way() || recorded != own_tid()) return false;
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const bool is_step = info.si_code == TRAP_TRACE;
  if (!is_step || is_ours(pc_in(registers))) return end(registers), is_step;
  wire::Round& round = round_under_way();
  add_step(round, registers);
  if (round.steps == wire::kMaxRoundSteps) finish(registers);
  return true;
}

}  // namespace snarl::runtime::patch::rounds
