// What patched code calls (runtime/patch/slow_path.S).
#include "runtime/hooks/named.h"
#include "runtime/patch/points.h"
#include "runtime/platform/raw.h"
#include "runtime/run/points.h"
#include "runtime/simulated/clock.h"
#include "runtime/simulated/randomness.h"

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

uint64_t* place_of(Registers& r, uint8_t number) {
  uint64_t* const all[] = {&r.rax, &r.rcx, &r.rdx, &r.rbx, nullptr, &r.rbp, &r.rsi, &r.rdi,
                           &r.r8,  &r.r9,  &r.r10, &r.r11, &r.r12,  &r.r13, &r.r14, &r.r15};
  return number < 16 ? all[number] : nullptr;
}

// As rdrand and rdseed do: the carry says that there is a number, and the other flags are cleared. A narrow result
// keeps the rest of the register, one of 32 bits does not.
void draw(Registers& r, const Point& point) {
  constexpr uint64_t kArithmetic = 0x8d5, kCarry = 1;
  uint64_t number = 0;
  if (!randomness::fill(&number, point.size)) raw::call(SYS_getrandom, &number, point.size, 0);
  r.flags = (r.flags & ~kArithmetic) | kCarry;
  uint64_t* const to = place_of(r, point.operand.base);
  if (to == nullptr) return;
  constexpr uint64_t kNarrow = 0xffff;
  *to = point.size == 2 ? (*to & ~kNarrow) | number : number;
}

// As rdtsc and rdtscp do, a cycle for each nanosecond of the run's time, on core 0.
void count_cycles(Registers& r, const Point& point) {
  const uint64_t cycles = clock::is_virtual() ? clock::read(CLOCK_MONOTONIC) : __builtin_ia32_rdtsc();
  r.rax = static_cast<uint32_t>(cycles);
  r.rdx = cycles >> 32;
  if (uint64_t* const core = place_of(r, point.operand.base)) *core = 0;
}

void emulate(Registers& r, const Point& point) {
  point.emulated == wire::PatchPoint::kRandom ? draw(r, point) : count_cycles(r, point);
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
  if (point.emulated != snarl::wire::PatchPoint::kNone) return emulate(*registers, point);
  const uint64_t address = address_of_operand(*registers, point);
  if (point.kind == snarl::OpKind::kAtomicLoad) return snarl::runtime::spin_point(point.pc, address, point.size);
  const auto kind = static_cast<uint32_t>(point.kind);
  if (point.after)
    snarl_rt_point_after(kind, point.pc, address);
  else
    snarl_rt_point(kind, point.pc, address, point.size);
}
