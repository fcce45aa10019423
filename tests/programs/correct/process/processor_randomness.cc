// snarl: correct layers_differ
// The processor's own random numbers differ, and come again in a repeated schedule: how often the threads yield depends
// on them. Registers and flags are as rdrand leaves them, in all widths.
#include <cpuid.h>
#include <sched.h>

#include <cassert>
#include <cstdint>
#include <thread>

static bool has_rdrand() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_RDRND) != 0;
}

static bool has_rdseed() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_RDSEED) != 0;
}

// A result, and the flags behind the instruction. It may fail, with no carry: then it is tried again.
#define DRAW(name, instruction, width)                                                   \
  static uint64_t name() {                                                               \
    for (;;) {                                                                           \
      uint64_t result = 0x5555555555555555, flags = 0;                                   \
      asm volatile("xor %%eax, %%eax\n\t" instruction " %" width "0\n\tpushfq\n\tpop %1" \
                   : "+r"(result), "=r"(flags)                                           \
                   :                                                                     \
                   : "cc", "rax");                                                       \
      constexpr uint64_t kCarry = 1, kOthers = 0x8d4;                                    \
      assert((flags & kOthers) == 0);                                                    \
      if ((flags & kCarry) != 0) return result;                                          \
    }                                                                                    \
  }

DRAW(draw16, "rdrand", "w")
DRAW(draw32, "rdrand", "k")
DRAW(draw64, "rdrand", "q")
DRAW(seed64, "rdseed", "q")

static void yield_some(uint64_t how_often) {
  for (uint64_t i = 0; i < how_often % 8; ++i) sched_yield();
}

static void draw() {
  const uint64_t narrow = draw16(), middle = draw32(), wide = draw64();
  assert(narrow >> 16 == 0x555555555555 && middle >> 32 == 0 && wide >> 32 != 0);
  assert(draw64() != wide);
  yield_some(narrow);
  yield_some(middle);
  yield_some(wide);
  if (has_rdseed()) yield_some(seed64());
}

int main() {
  if (!has_rdrand()) return 0;
  draw();
  std::thread a(draw), b(draw);
  a.join();
  b.join();
}
