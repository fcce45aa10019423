// The points of patched code, by number, and what their trampolines hand over.
#pragma once

#include <cstdint>

#include "schedule/operation.h"
#include "wire/patch_table.h"

namespace snarl::runtime::patch {

struct Point {
  uint64_t pc;  // behind the instruction, as a call's return address would be
  OpKind kind;
  bool after;
  uint8_t size;
  wire::Operand operand;
  wire::Named named;
  wire::PatchPoint emulated = wire::PatchPoint::kNone;  // then it is none
};

// As slow_path.S pushes them, the last first.
struct Registers {
  uint64_t place;  // read by the unwinder
  uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax, flags;
  uint64_t trampoline;  // return address
  uint64_t point;
};

// Room for that many more; false if there is none.
bool reserve_points(uint32_t count);
uint32_t add_point(const Point& point);
const Point& point_at(uint64_t number);

// How much slow_path.S keeps of the vector registers. False: this processor has no xsave.
bool measure_vectors();

}  // namespace snarl::runtime::patch

extern "C" {
void snarl_patch_slow_path();
void snarl_patch_point(snarl::runtime::patch::Registers* registers);
}
