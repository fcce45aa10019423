#include "runtime/patch/points.h"

#include <cpuid.h>
#include <sys/mman.h>

#include "runtime/patch/named.h"
#include "runtime/platform/raw.h"
#include "runtime/run/points.h"

extern "C" {
__attribute__((visibility("hidden"))) uint64_t snarl_patch_vector_bytes = 0;
__attribute__((visibility("hidden"))) uint32_t snarl_patch_vector_mask = 0;
}

namespace snarl::runtime::patch {
namespace {

constexpr uint32_t kMostPoints = 1 << 21;  // 80 MB of addresses; memory is used as points are added

Point* points = nullptr;
uint32_t count = 0;

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

bool reserve_points(uint32_t more) {
  if (points == nullptr) {
    const long at = raw::call(SYS_mmap, 0, sizeof(Point) * kMostPoints, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at < 0) return false;
    points = reinterpret_cast<Point*>(at);
  }
  return more <= kMostPoints - count;
}

uint32_t add_point(const Point& point) {
  points[count] = point;
  return count++;
}

bool measure_vectors() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kOsUsesXsave = 1u << 27;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsUsesXsave) == 0) return false;
  unsigned low = 0, high = 0;
  asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  snarl_patch_vector_mask = low & 0xe7;  // x87, SSE, AVX, AVX-512; no tiles, no protection keys
  if (__get_cpuid_count(0xd, 0, &a, &b, &c, &d) == 0) return false;
  snarl_patch_vector_bytes = b;  // for all that the system has enabled
  return b != 0;
}

}  // namespace snarl::runtime::patch

void snarl_patch_point(snarl::runtime::patch::Registers* registers) {
  using namespace snarl::runtime::patch;
  const Point& point = points[registers->point];
  registers->place = point.pc;
  if (point.named.use != snarl::FunctionUse::kNone) return at_named(*registers, point);
  const uint64_t address = address_of_operand(*registers, point);
  const auto kind = static_cast<uint32_t>(point.kind);
  if (point.after)
    snarl_rt_point_after(kind, point.pc, address);
  else
    snarl_rt_point(kind, point.pc, address, point.size);
}
