// What patched code calls (runtime/patch/slow_path.S).
#include "runtime/hooks/named.h"
#include "runtime/patch/points.h"
#include "runtime/run/points.h"

namespace snarl::runtime::patch {
namespace {

uint64_t value_of(const Registers& r, uint8_t number) {
  const uint64_t all[] = {r.rax, r.rcx, r.rdx, r.rbx, stack_pointer(r), r.rbp, r.rsi, r.rdi, r.r8, r.r9, r.r10, r.r11,
                          r.r12, r.r13, r.r14, r.r15};
  return number < 16 ? all[number] : 0;
}

uint64_t segment_base(wire::Segment segment) {
  uint64_t base = 0;  // the thread's block begins with its own address; nobody uses %gs
  if (segment == wire::Segment::kFs) asm("mov %%fs:0, %0" : "=r"(base));
  return base;
}

uint64_t address_of_operand(const Registers& r, const Point& point) {
  const wire::Operand& operand = point.operand;
  const uint64_t base = operand.base == wire::kRip ? point.pc : value_of(r, operand.base);
  return segment_base(operand.segment) + base + (value_of(r, operand.index) << operand.scale) +
         static_cast<uint64_t>(int64_t{operand.displacement});
}

}  // namespace

// Before the red zone was stepped over.
uint64_t stack_pointer(const Registers& registers) {
  return reinterpret_cast<uint64_t>(&registers) + sizeof registers + 128;
}

}  // namespace snarl::runtime::patch

void snarl_patch_point(snarl::runtime::patch::Registers* registers) {
  using namespace snarl::runtime::patch;
  const Point& point = point_at(registers->point);
  registers->place = point.pc;
  if (point.named.use != snarl::FunctionUse::kNone) return at_named(*registers, point);
  const uint64_t address = address_of_operand(*registers, point);
  const auto kind = static_cast<uint32_t>(point.kind);
  if (point.after)
    snarl_rt_point_after(kind, point.pc, address);
  else
    snarl_rt_point(kind, point.pc, address, point.size);
}
