#include "runtime/patch/points.h"

#include <cpuid.h>
#include <sys/mman.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"

extern "C" {
SNARL_PROCESS_STATE __attribute__((visibility("hidden"))) uint64_t snarl_patch_vector_bytes = 0;
SNARL_PROCESS_STATE __attribute__((visibility("hidden"))) uint32_t snarl_patch_vector_mask = 0;
}

namespace snarl::runtime::patch {
namespace {

constexpr uint32_t kMostPoints = 1 << 21;  // 80 MB of addresses; memory is used as points are added

SNARL_PROCESS_STATE Point* points = nullptr;
SNARL_PROCESS_STATE uint32_t count = 0;

}  // namespace

bool reserve_points(uint32_t more) {
  if (points == nullptr) {
    const long at = raw::call(SYS_mmap, 0, sizeof(Point) * kMostPoints, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at < 0) return false;
    points = reinterpret_cast<Point*>(at);
  }
  return more <= kMostPoints - count;
}

const Point& point_at(uint64_t number) { return points[number]; }

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
