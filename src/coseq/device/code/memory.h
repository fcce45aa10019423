/* The memory of a lane on a device, in the words of coseq/models/runtime.h.
 *
 * A program has the same addresses as on the host. They are translated: the areas that it uses lie one behind the other
 * in an arena that is as small as the host has seen to be enough. What lies outside, and what a device can't do, ends
 * the lane with kLaneToHost: then the host runs it. The words of LANE_WIDTH lanes are interleaved, so that lanes that
 * run in step read neighbouring words. Sizes are macros that are written for the program (coseq/device/text.cc). */
#pragma once

#include "coseq/device/code/target.h"
#include "coseq/models/lane.h"

#define LANE_MEMORY GLOBAL u8*
#define UNLIKELY(x) (x)

#define FIELD_OF(type, field) ((u32) __builtin_offsetof(struct type, field))
#define SIZE_OF_FIELD(type, field) (sizeof(((struct type*)0)->field))
enum {
  kStackRoom = LANE_STACK + 512, /* a call writes its arguments before the stack is looked at */
  kInHeader = 0,
  kInSchedule = kInHeader + FIELD_OF(LaneHeader, threads) + LANE_SLOTS * (u32)sizeof(struct LaneThread),
  kInGlobals = kInSchedule + (LANE_SLOTS * 8 + 8 + 15) / 16 * 16,
  kInLocals = kInGlobals + LANE_GLOBALS,
  kInStacks = kInLocals + LANE_SLOTS * LANE_LOCALS,
  kInHeap = kInStacks + LANE_SLOTS * kStackRoom,
  kInOutput = kInHeap + LANE_HEAP,
  kInShadow = kInOutput + LANE_OUTPUT,
  kArena = (kInShadow + LANE_HEAP / 8 + 64 + 63) / 64 * 64,
};
#define kNowhere 0xffffffffu

/* Words at places in the arena. */
#define LANE_STEP(at) ((u64)((at) & ~3u) * LANE_WIDTH + ((at)&3u))
#define RAW(type, at) (*(GLOBAL type*)(M + LANE_STEP(at)))
/* Aligned ones, which is most of them: */
LANE_CODE u8 lane_get_u8(LANE_MEMORY M, u32 at) { return RAW(u8, at); }
LANE_CODE u16 lane_get_u16(LANE_MEMORY M, u32 at) { return RAW(u16, at); }
LANE_CODE u32 lane_get_u32(LANE_MEMORY M, u32 at) { return RAW(u32, at); }
LANE_CODE u64 lane_get_u64(LANE_MEMORY M, u32 at) { return (u64)RAW(u32, at) | (u64)RAW(u32, at + 4) << 32; }
LANE_CODE f32 lane_get_f32(LANE_MEMORY M, u32 at) { return lane_f32(lane_get_u32(M, at)); }
LANE_CODE f64 lane_get_f64(LANE_MEMORY M, u32 at) { return lane_f64(lane_get_u64(M, at)); }
LANE_CODE void lane_set_u8(LANE_MEMORY M, u32 at, u8 value) { RAW(u8, at) = value; }
LANE_CODE void lane_set_u16(LANE_MEMORY M, u32 at, u16 value) { RAW(u16, at) = value; }
LANE_CODE void lane_set_u32(LANE_MEMORY M, u32 at, u32 value) { RAW(u32, at) = value; }
LANE_CODE void lane_set_u64(LANE_MEMORY M, u32 at, u64 value) {
  RAW(u32, at) = (u32)value;
  RAW(u32, at + 4) = (u32)(value >> 32);
}
LANE_CODE void lane_set_f32(LANE_MEMORY M, u32 at, f32 value) { lane_set_u32(M, at, lane_bits32(value)); }
LANE_CODE void lane_set_f64(LANE_MEMORY M, u32 at, f64 value) { lane_set_u64(M, at, lane_bits64(value)); }
/* Any others: */
LANE_CODE u8 lane_raw_u8(LANE_MEMORY M, u32 at) { return RAW(u8, at); }
LANE_CODE u16 lane_raw_u16(LANE_MEMORY M, u32 at) {
  return at & 1 ? (u16)(RAW(u8, at) | RAW(u8, at + 1) << 8) : RAW(u16, at);
}
LANE_CODE u32 lane_raw_u32(LANE_MEMORY M, u32 at) {
  if ((at & 3) == 0) return RAW(u32, at);
  return (u32)lane_raw_u16(M, at) | (u32)lane_raw_u16(M, at + 2) << 16;
}
LANE_CODE u64 lane_raw_u64(LANE_MEMORY M, u32 at) {
  return (u64)lane_raw_u32(M, at) | (u64)lane_raw_u32(M, at + 4) << 32;
}
LANE_CODE void lane_put_u8(LANE_MEMORY M, u32 at, u8 value) { RAW(u8, at) = value; }
LANE_CODE void lane_put_u16(LANE_MEMORY M, u32 at, u16 value) {
  if (at & 1) {
    RAW(u8, at) = (u8)value;
    RAW(u8, at + 1) = (u8)(value >> 8);
  } else {
    RAW(u16, at) = value;
  }
}
LANE_CODE void lane_put_u32(LANE_MEMORY M, u32 at, u32 value) {
  if ((at & 3) == 0) {
    RAW(u32, at) = value;
  } else {
    lane_put_u16(M, at, (u16)value);
    lane_put_u16(M, at + 2, (u16)(value >> 16));
  }
}
LANE_CODE void lane_put_u64(LANE_MEMORY M, u32 at, u64 value) {
  lane_put_u32(M, at, (u32)value);
  lane_put_u32(M, at + 4, (u32)(value >> 32));
}
LANE_CODE f32 lane_raw_f32(LANE_MEMORY M, u32 at) { return lane_f32(lane_raw_u32(M, at)); }
LANE_CODE f64 lane_raw_f64(LANE_MEMORY M, u32 at) { return lane_f64(lane_raw_u64(M, at)); }
LANE_CODE void lane_put_f32(LANE_MEMORY M, u32 at, f32 value) { lane_put_u32(M, at, lane_bits32(value)); }
LANE_CODE void lane_put_f64(LANE_MEMORY M, u32 at, f64 value) { lane_put_u64(M, at, lane_bits64(value)); }

/* Header and threads. A slot that the arena has no room for was given up when the model wrote to it. */
#define HEADER_AT(field) (kInHeader + FIELD_OF(LaneHeader, field))
#define THREAD_AT(slot, field)                                               \
  (kInHeader + FIELD_OF(LaneHeader, threads) + FIELD_OF(LaneThread, field) + \
   ((u32)(slot) < LANE_SLOTS ? (u32)(slot) : 0u) * (u32)sizeof(struct LaneThread))
#define GET_FIELD(size, at) ((size) == 8 ? lane_get_u64(M, at) : (u64)lane_get_u32(M, at))
#define SET_FIELD(size, at, value) ((size) == 8 ? lane_set_u64(M, at, (u64)(value)) : lane_set_u32(M, at, (u32)(value)))
#define GET_HEADER(field) GET_FIELD(SIZE_OF_FIELD(LaneHeader, field), HEADER_AT(field))
#define SET_HEADER(field, value) SET_FIELD(SIZE_OF_FIELD(LaneHeader, field), HEADER_AT(field), value)
#define GET_THREAD(slot, field) GET_FIELD(SIZE_OF_FIELD(LaneThread, field), THREAD_AT(slot, field))
#define SET_THREAD(slot, field, value) SET_FIELD(SIZE_OF_FIELD(LaneThread, field), THREAD_AT(slot, field), value)
#define BEGIN_WAITING SET_HEADER(waiting, GET_HEADER(waiting) + 1)
#define LEAVE_WAITING SET_HEADER(waiting, GET_HEADER(waiting) - 1)
#define STACK_END(slot) (kLaneStacks + (u32)(slot)*kLaneStackStride + LANE_STACK)

/* The end of a lane: all functions return, without doing more. The first end is the one that counts. */
LANE_FAR void lane_end(LANE_MEMORY M, u32 status, u64 info, u64 detail) {
  if (GET_HEADER(status) != kLaneRuns) return;
  SET_HEADER(status, status);
  SET_HEADER(info, info);
  SET_HEADER(detail, detail);
}
LANE_CODE void lane_give_up(LANE_MEMORY M) { lane_end(M, kLaneToHost, 0, 0); }
#define LANE_FAIL(status, info, detail, place) \
  do {                                         \
    lane_end(M, status, (u32)(info), detail);  \
    goto L_over;                               \
  } while (0)
#define LANE_FAIL_AT_STEP(status, info, detail, place) \
  do {                                                 \
    SET_HEADER(steps, steps);                          \
    lane_end(M, status, (u32)(info), detail);          \
    goto L_over;                                       \
  } while (0)
#define LANE_FULL_STACK(place) LANE_FAIL(kLaneToHost, 0, 0, place)
#define LANE_LEAVE(...) \
  L_over:               \
  return __VA_ARGS__
#define LANE_CALLED \
  if (UNLIKELY(GET_HEADER(status) != kLaneRuns)) goto L_over
#define LANE_COST(instructions)
/* A loop may read zeros for ever once its lane has ended. */
#define LANE_TURNS u32 turns = 0
#define LANE_TURN \
  if (UNLIKELY((++turns & 1023u) == 0) && lane_is_over(M, turns)) goto L_over
LANE_CODE u8 lane_is_over(LANE_MEMORY M, u32 turns) {
  if (turns >= 1u << 24) lane_give_up(M); /* the host measures how long it computes */
  return GET_HEADER(status) != kLaneRuns;
}

/* Where an address of the program lies in the arena. */
LANE_CODE u32 lane_place(u32 at) {
  u32 by, slot;
  if ((by = at - kLaneGlobals) < LANE_GLOBALS) return kInGlobals + by;
  if ((by = at - kLaneHeap) < LANE_HEAP) return kInHeap + by;
  if ((by = at - kLaneStacks) < LANE_SLOTS * kLaneStackStride) {
    slot = by / kLaneStackStride;
    by -= slot * kLaneStackStride;
    return by < LANE_STACK ? kInStacks + slot * kStackRoom + by : kNowhere;
  }
  if ((by = at - kLaneHeader) < (u32)kInSchedule) return kInHeader + by;
  if ((by = at - kLaneThreadLocals) < LANE_SLOTS * LANE_LOCALS) return kInLocals + by;
  if ((by = at - kLaneOutput) < LANE_OUTPUT) return kInOutput + by;
  return kNowhere;
}

/* Constants and the arguments of main are the same in all lanes, and lie once for all. */
LANE_FAR u64 lane_shared(LANE_MEMORY M, u32 at, u32 size) {
  u64 word = 0;
  u32 i, by;
  for (i = 0; i < size; ++i) {
    if ((by = at + i - kLaneConstants) < LANE_CONSTANTS)
      word |= (u64)lane_constants[by] << 8 * i;
    else if ((by = at + i - LANE_ARGUMENTS_AT) < LANE_ARGUMENTS)
      word |= (u64)lane_arguments[by] << 8 * i;
    else
      lane_give_up(M);
  }
  return word;
}

#define LANE_ACCESS(type)                                           \
  LANE_FAR type lane_ld_##type(LANE_MEMORY M, u32 at) {             \
    const u32 place = lane_place(at);                               \
    if (UNLIKELY(place == kNowhere)) return LANE_FROM_##type;       \
    return lane_raw_##type(M, place);                               \
  }                                                                 \
  LANE_FAR void lane_st_##type(LANE_MEMORY M, u32 at, type value) { \
    const u32 place = lane_place(at);                               \
    if (UNLIKELY(place == kNowhere))                                \
      lane_give_up(M);                                              \
    else                                                            \
      lane_put_##type(M, place, value);                             \
  }
#define LANE_FROM_u8 (u8) lane_shared(M, at, 1)
#define LANE_FROM_u16 (u16) lane_shared(M, at, 2)
#define LANE_FROM_u32 (u32) lane_shared(M, at, 4)
#define LANE_FROM_u64 lane_shared(M, at, 8)
#define LANE_FROM_f32 lane_f32(lane_shared(M, at, 4))
#define LANE_FROM_f64 lane_f64(lane_shared(M, at, 8))
LANE_ACCESS(u8)
LANE_ACCESS(u16)
LANE_ACCESS(u32)
LANE_ACCESS(u64)
LANE_ACCESS(f32)
LANE_ACCESS(f64)
#define LD(type, at) lane_ld_##type(M, (u32)(at))
#define ST(type, at, value) lane_st_##type(M, (u32)(at), (type)(value))
/* In the running thread's own frames, of which it is known where they are. */
#define FRAME_BASE const u32 frame_shift = (u32)kInStacks + cur * kStackRoom - (kLaneStacks + cur * kLaneStackStride)
#define FRAME_LD(type, at) lane_get_##type(M, (u32)(at) + frame_shift)
#define FRAME_ST(type, at, value) lane_set_##type(M, (u32)(at) + frame_shift, (type)(value))

/* May these bytes be accessed? Around constants and globals that is the same in all lanes. */
LANE_CODE u8 lane_shadow(LANE_MEMORY M, u32 at) {
  u32 by;
  if ((by = at - kLaneHeap) < LANE_HEAP) return lane_raw_u8(M, kInShadow + (by >> 3));
  if ((by = at - kLaneGlobals) < LANE_GLOBALS) return lane_shadow_globals[by >> 3];
  if ((by = at - kLaneConstants) < LANE_CONSTANTS) return lane_shadow_constants[by >> 3];
  if (at < kLaneHeader) return kShadowNull;
  return 0;
}
LANE_FAR u8 lane_is_bad(LANE_MEMORY M, u32 at, u32 size) {
  u32 i;
  if ((lane_shadow(M, at) | lane_shadow(M, at + size - 1)) == 0) return 0;
  for (i = 0; i < size; ++i) {
    const u8 shadow = lane_shadow(M, at + i);
    if (shadow != 0 && (shadow > 7 || ((at + i) & 7) >= shadow)) {
      lane_end(M, kLaneBadAccess, at + i, size);
      return 1;
    }
  }
  return 0;
}
#define LANE_CHECK(at, size, place) \
  if (UNLIKELY(lane_is_bad(M, (u32)(at), size))) goto L_over
LANE_FAR u8 lane_is_bad_range(LANE_MEMORY M, u32 at, u64 size) {
  u32 i;
  if (size == 0) return 0;
  if (size > 0x10000000 || at + size > 0xf0000000) {
    lane_end(M, kLaneBadAccess, at, 0);
    return 1;
  }
  for (i = at >> 3; i <= (u32)(at + size - 1) >> 3; ++i)
    if (lane_shadow(M, i << 3) != 0) return lane_is_bad(M, at, (u32)size) || 0;
  return 0;
}
#define LANE_CHECK_RANGE(at, size, place) \
  if (UNLIKELY(lane_is_bad_range(M, (u32)(at), size))) goto L_over

LANE_FAR void lane_move(LANE_MEMORY M, u32 to, u32 from, u64 size) {
  u64 i;
  if (to <= from) {
    for (i = 0; i + 8 <= size; i += 8) ST(u64, to + i, LD(u64, from + i));
    for (; i < size; ++i) ST(u8, to + i, LD(u8, from + i));
  } else {
    for (i = size; i >= 8; i -= 8) ST(u64, to + i - 8, LD(u64, from + i - 8));
    for (; i > 0; --i) ST(u8, to + i - 1, LD(u8, from + i - 1));
  }
}
LANE_FAR void lane_fill(LANE_MEMORY M, u32 to, u8 byte, u64 size) {
  u64 i;
  for (i = 0; i + 8 <= size; i += 8) ST(u64, to + i, 0x0101010101010101ul * byte);
  for (; i < size; ++i) ST(u8, to + i, byte);
}
LANE_FAR void lane_poison(LANE_MEMORY M, u32 at, u32 size, u8 shadow) {
  u32 i;
  if (at < kLaneHeap || at + size > kLaneHeap + LANE_HEAP)
    lane_give_up(M);
  else
    for (i = 0; i < (size + 7) >> 3; ++i) lane_put_u8(M, kInShadow + ((at - kLaneHeap) >> 3) + i, shadow);
}
LANE_FAR void lane_new_locals(LANE_MEMORY M, u32 slot) {
  u32 i;
  if (slot < LANE_SLOTS)
    for (i = 0; i < sizeof lane_locals; ++i) lane_put_u8(M, kInLocals + slot * LANE_LOCALS + i, lane_locals[i]);
}
LANE_CODE u32 lane_format(LANE_MEMORY M) {
  lane_give_up(M); /* digits of a floating-point number: the host's printf knows them */
  return 0;
}
#define LANE_MOVE(to, from, size) lane_move(M, to, from, size)
#define LANE_FILL(to, byte, size) lane_fill(M, to, (u8)(byte), size)
#define LANE_POISON(at, size, shadow) lane_poison(M, at, size, (u8)(shadow))
#define LANE_SHADOW_OF(at) lane_shadow(M, at)
#define LANE_NEW_LOCALS(slot) lane_new_locals(M, slot)
#define LANE_FORMAT(to, room, spec, value) lane_format(M)
#define LANE_PARSE(text, length) lane_format(M)
#define LANE_HASH(at, size, seed) lane_format(M)
#define LANE_REHASH(policy, buckets, elements, more) lane_format(M)
#define LANE_TELL(kind, object, size, place) ((void)0)
#define LANE_TELL_PLAIN(kind, object, size, place) ((void)0)
