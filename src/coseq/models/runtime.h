/* What emitted code begins with on the host. Devices have the same words in coseq/device/code/memory.h. */
#pragma once

#include "coseq/models/lane.h"
#include "coseq/models/words.h"

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
#define FRAME_LD LD
#define FRAME_ST ST
#define FRAME_BASE
#define HEADER ((struct LaneHeader*)(M + kLaneHeader))
#define THREAD(slot) (HEADER->threads[slot])
#define GET_HEADER(field) (HEADER->field)
#define SET_HEADER(field, value) (HEADER->field = (value))
#define GET_THREAD(slot, field) (THREAD(slot).field)
#define SET_THREAD(slot, field, value) (THREAD(slot).field = (value))
#define BEGIN_WAITING (++HEADER->waiting)
#define LEAVE_WAITING (--HEADER->waiting)
#define STACK_END(slot) (kLaneStacks + (slot)*kLaneStackStride + kLaneStackSize)
#define LANE_CODE static
#define LANE_MEMORY u8*
#define LANE_TABLE static const

extern struct LaneProgram lane_program;
static struct LaneHost lane_host;
#define LANE_FAIL(status, info, detail, place)         \
  do {                                                 \
    lane_host.end(status, (u32)(info), detail, place); \
    __builtin_unreachable();                           \
  } while (0)
#define LANE_FAIL_AT_STEP(status, info, detail, place) \
  do {                                                 \
    HEADER->steps = steps;                             \
    lane_host.end(status, (u32)(info), detail, place); \
    __builtin_unreachable();                           \
  } while (0)
#define LANE_FULL_STACK(place) LANE_FAIL(kLaneStackOverflow, fp, 0, place)
/* The end of a lane jumps out of all functions here, and an alarm stops what computes for long: neither is asked for.
 */
#define LANE_CALLED
#define LANE_TURNS
#define LANE_TURN
#define LANE_LEAVE(...)
#ifdef LANE_COUNTS_COST
#define LANE_COST(instructions) (HEADER->cost += (instructions))
#else
#define LANE_COST(instructions)
#endif

/* Who looks for races is told of every step. `kind`: an OpKind, and a MemoryOrder << 8. */
#ifdef LANE_TELLS
#define LANE_TELL(kind, object, size, place) \
  (HEADER->steps = steps, lane_host.tell(cur, kind, (u32)(object), size, place))
#else
#define LANE_TELL(kind, object, size, place) ((void)0)
#endif
/* In a function without points, which knows neither its thread nor the steps. */
#ifdef LANE_TELLS
#define LANE_TELL_PLAIN(kind, object, size, place) lane_host.tell(HEADER->current, kind, (u32)(object), size, place)
#else
#define LANE_TELL_PLAIN(kind, object, size, place) ((void)0)
#endif

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

#define LANE_CHECK_RANGE(at, size, place) lane_check_range(M, at, size, place)
#define LANE_MOVE(to, from, size) __builtin_memmove(M + (to), M + (from), size)
#define LANE_FILL(to, byte, size) __builtin_memset(M + (to), byte, size)
#define LANE_POISON(at, size, shadow) __builtin_memset(M + kLaneShadow + ((at) >> 3), shadow, ((size) + 7) >> 3)
#define LANE_SHADOW_OF(at) (M[kLaneShadow + ((at) >> 3)])
#define LANE_NEW_LOCALS(slot) \
  __builtin_memcpy(M + kLaneThreadLocals + (slot)*kLocalsSize, lane_locals, sizeof lane_locals)
#define LANE_FORMAT(to, room, spec, value) lane_host.format((char*)M + (to), room, (const char*)M + (spec), value)
#define LANE_PARSE(text, length) lane_host.parse((const char*)M + (text), (u32*)(M + (length)))
#define LANE_HASH(at, size, seed) lane_host.hash(M + (at), size, seed)
#define LANE_REHASH(policy, buckets, elements, more) lane_host.rehash(M + (policy), buckets, elements, more)
#define LANE_ONES(word) __builtin_popcountl(word)
#define LANE_LOWEST(word) __builtin_ctzl(word)
#define LANE_LEADING(word) __builtin_clzl(word)
#define LANE_SWAPPED(bits, word) __builtin_bswap##bits(word)
#define LANE_OVERFLOW(operation, type, a, b, result, over) \
  do {                                                     \
    type r_;                                               \
    over = __builtin_##operation##_overflow(a, b, &r_);    \
    result = r_;                                           \
  } while (0)

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
