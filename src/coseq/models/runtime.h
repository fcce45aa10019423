/* What emitted code begins with. */
#pragma once

#include "coseq/models/lane.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef float f32;
typedef double f64;

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define LANE_TYPE(type) typedef type __attribute__((may_alias, aligned(1))) type##_memory
LANE_TYPE(u8);
LANE_TYPE(u16);
LANE_TYPE(u32);
LANE_TYPE(u64);
LANE_TYPE(f32);
LANE_TYPE(f64);
#define LD(type, at) (*(type##_memory*)(M + (u32)(at)))
#define ST(type, at, value) (*(type##_memory*)(M + (u32)(at)) = (value))
#define HEADER ((struct LaneHeader*)(M + kLaneHeader))
#define THREAD(slot) (HEADER->threads[slot])

extern struct LaneProgram lane_program;
static struct LaneHost lane_host;
#define LANE_FAIL(status, info, detail, place)         \
  do {                                                 \
    lane_host.end(status, (u32)(info), detail, place); \
    __builtin_unreachable();                           \
  } while (0)

/* Each access that is not known to be inside of its object looks whether it may be made. */
static __attribute__((noinline, cold)) void lane_check_more(u8* M, u32 at, u32 size, u32 place) {
  for (u32 i = 0; i < size; ++i) {
    const u8 shadow = M[kLaneShadow + ((u32)(at + i) >> 3)];
    if (shadow != 0 && (shadow > 7 || ((at + i) & 7) >= shadow)) LANE_FAIL(kLaneBadAccess, at + i, size, place);
  }
}
#define LANE_CHECK(at, size, place)                                                            \
  do {                                                                                         \
    const u32 at_ = (u32)(at);                                                                 \
    if (UNLIKELY(M[kLaneShadow + (at_ >> 3)] | M[kLaneShadow + ((u32)(at_ + (size)-1) >> 3)])) \
      lane_check_more(M, at_, size, place);                                                    \
  } while (0)

static inline void lane_check_range(u8* M, u32 at, u64 size, u32 place) {
  if (size == 0) return;
  if (UNLIKELY(size > 0x10000000 || at + size > 0xf0000000)) LANE_FAIL(kLaneBadAccess, at, 0, place);
  const u32 last = (u32)(at + size - 1);
  for (u32 i = at >> 3; i <= last >> 3; ++i)
    if (UNLIKELY(M[kLaneShadow + i])) {
      lane_check_more(M, at, (u32)size, place);
      return;
    }
}

#define COND_0(word) 1
#define COND_1(word) (LD(u32, word) == 0)
#define COND_2(word) (LD(u32, word) != 0)
#define COND_3(word) ((i32)LD(u32, word) > 0)
#define COND_4(word) (LD(u32, word) != 1)
#define COND_5(word) ((i32)LD(u32, word) >= 0)
#define COND_6(word) (THREAD(cur).woken != 0 || (LD(u64, (word)) >> cur & 1))
#define COND_7(word) (THREAD(cur).woken != 0)

static inline f32 lane_f32(u32 bits) {
  f32 value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}
static inline f64 lane_f64(u64 bits) {
  f64 value;
  __builtin_memcpy(&value, &bits, 8);
  return value;
}
static inline u32 lane_bits32(f32 value) {
  u32 bits;
  __builtin_memcpy(&bits, &value, 4);
  return bits;
}
static inline u64 lane_bits64(f64 value) {
  u64 bits;
  __builtin_memcpy(&bits, &value, 8);
  return bits;
}
