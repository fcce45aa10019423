/* The scheduler of a lane on a device: Scheduler::run_plan of coseq/host, which it has to agree with. Who spins goes to
 * the host, and so do threads that the plan does not know. */
#pragma once

#include "coseq/device/code/memory.h"
#include "coseq/device/code/results.h"
#include "coseq/strategy/lane_plan.h"

/* Slots of living threads, the highest rank first, as the host keeps them; their ranks; how many are known. */
#define RANK_AT(slot) (kInSchedule + 4 * (u32)(slot))
#define LISTED_AT(i) (kInSchedule + 4 * LANE_SLOTS + 4 * (u32)(i))
#define LIST_SIZE_AT (kInSchedule + 8 * LANE_SLOTS)
#define KNOWN_AT (kInSchedule + 8 * LANE_SLOTS + 4)

LANE_CODE u64 lane_mix(u64 x) {
  x += 0x9e3779b97f4a7c15ul;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebul;
  return x ^ (x >> 31);
}

LANE_CODE void lane_reset(LANE_MEMORY M) {
  u32 i;
  for (i = kInHeader; i < kInGlobals; i += 4) lane_put_u32(M, i, 0);
  for (i = 0; i < sizeof lane_globals; ++i) lane_put_u8(M, kInGlobals + i, lane_globals[i]);
  for (i = 0; i < LANE_HEAP / 8; i += 4) lane_put_u32(M, kInShadow + i, 0);
  for (i = 0; i < 16; i += 4) lane_put_u32(M, kInStacks + i, 0);
  lane_new_locals(M, 0);
  SET_HEADER(living, 1);
  SET_HEADER(created, 1);
  SET_HEADER(slots, 1);
  SET_HEADER(heap, kLaneHeap);
  SET_HEADER(argument_count, LANE_ARGUMENT_COUNT);
  SET_HEADER(arguments, LANE_ARGUMENTS_AT);
  SET_THREAD(0, pc, LANE_MAIN);
  SET_THREAD(0, frame, kLaneStacks);
  SET_THREAD(0, state, kThreadLives);
}

LANE_CODE u8 lane_holds(LANE_MEMORY M, u32 cur, u32 condition, u32 word) {
  switch (condition) {
    case kLaneAlways: return 1;
    case kLaneZero: return COND_1(word);
    case kLaneNonzero: return COND_2(word);
    case kLanePositive: return COND_3(word);
    case kLaneNotOne: return COND_4(word);
    case kLaneNotNegative: return COND_5(word);
    case kLaneWoken: return COND_6(word);
    default: return COND_7(word);
  }
}
LANE_CODE u8 lane_may_go(LANE_MEMORY M, u32 slot) {
  const u32 first = (u32)GET_THREAD(slot, condition), second = (u32)GET_THREAD(slot, condition2);
  if ((first | second) == 0) return 1;
  return (GET_THREAD(slot, woken) == kWokenByDeadline || lane_holds(M, slot, first, (u32)GET_THREAD(slot, word))) &&
         lane_holds(M, slot, second, (u32)GET_THREAD(slot, word2));
}

LANE_CODE void lane_list(LANE_MEMORY M, u32 slot) {
  const u32 old_size = lane_raw_u32(M, LIST_SIZE_AT), rank = lane_raw_u32(M, RANK_AT(slot));
  u32 size = 0, i;
  for (i = 0; i < old_size; ++i) {
    const u32 other = lane_raw_u32(M, LISTED_AT(i));
    if (other != slot) lane_put_u32(M, LISTED_AT(size++), other);
  }
  for (i = size; i > 0; --i) {
    const u32 other = lane_raw_u32(M, LISTED_AT(i - 1));
    if (lane_raw_u32(M, RANK_AT(other)) >= rank) break;
    lane_put_u32(M, LISTED_AT(i), other);
  }
  lane_put_u32(M, LISTED_AT(i), slot);
  lane_put_u32(M, LIST_SIZE_AT, size + 1);
}

LANE_CODE void lane_rank_new(LANE_MEMORY M, GLOBAL const struct LanePlan* plan) {
  const u32 known = lane_raw_u32(M, KNOWN_AT), slots = (u32)GET_HEADER(slots);
  u32 slot;
  for (slot = 0; slot < slots && slot < LANE_SLOTS; ++slot) {
    const u32 ordinal = (u32)GET_THREAD(slot, ordinal);
    if (GET_THREAD(slot, state) != kThreadLives || ordinal < known) continue;
    if (ordinal >= plan->threads) {
      lane_give_up(M);
      return;
    }
    lane_put_u32(M, RANK_AT(slot), plan->ranks[ordinal]);
    lane_list(M, slot);
  }
  lane_put_u32(M, KNOWN_AT, (u32)GET_HEADER(created));
}

LANE_CODE u32 lane_highest(LANE_MEMORY M) {
  u32 size = lane_raw_u32(M, LIST_SIZE_AT), i = 0, j;
  while (i < size) {
    const u32 slot = lane_raw_u32(M, LISTED_AT(i));
    if (GET_THREAD(slot, state) != kThreadLives) {
      --size;
      for (j = i; j < size; ++j) lane_put_u32(M, LISTED_AT(j), lane_raw_u32(M, LISTED_AT(j + 1)));
      lane_put_u32(M, LIST_SIZE_AT, size);
      continue;
    }
    if (lane_may_go(M, slot)) return slot;
    ++i;
  }
  return kLaneThreads;
}

/* Time passes when nobody can run. */
LANE_CODE u8 lane_wake_earliest(LANE_MEMORY M) {
  const u32 slots = (u32)GET_HEADER(slots);
  u32 slot, earliest = kLaneThreads;
  u64 deadline = 0;
  for (slot = 0; slot < slots && slot < LANE_SLOTS; ++slot) {
    const u64 its = GET_THREAD(slot, deadline);
    if (GET_THREAD(slot, state) != kThreadLives || its == 0) continue;
    if (GET_THREAD(slot, woken) != 0 || GET_THREAD(slot, condition) == 0) continue;
    if (earliest != kLaneThreads && its >= deadline) continue;
    earliest = slot;
    deadline = its;
  }
  if (earliest == kLaneThreads) return 0;
  if (GET_HEADER(now) < deadline) SET_HEADER(now, deadline);
  SET_THREAD(earliest, woken, kWokenByDeadline);
  return 1;
}

LANE_CODE u64 lane_run(LANE_MEMORY M, GLOBAL const struct LanePlan* plan, GLOBAL const struct LaneBatch* batch) {
  u32 change = 0, last = kLaneThreads, slot;
  u64 order = 0, slice_begin = 0, steps, next;
  lane_reset(M);
  while (GET_HEADER(status) == kLaneRuns) {
    steps = GET_HEADER(steps);
    if (change < plan->changes && steps >= plan->points[change]) {
      if (last < kLaneThreads) {
        lane_put_u32(M, RANK_AT(last), plan->targets[change]);
        if (GET_THREAD(last, state) == kThreadLives) lane_list(M, last);
      }
      ++change;
      continue;
    }
    if (GET_HEADER(created) != lane_raw_u32(M, KNOWN_AT)) lane_rank_new(M, plan);
    slot = lane_highest(M);
    if (slot == kLaneThreads) {
      if (!lane_wake_earliest(M)) lane_end(M, kLaneDeadlock, 0, 0);
      if (steps >= batch->budget) lane_end(M, kLaneTooLong, 0, 0);
      continue;
    }
    if (slot != last) {
      slice_begin = steps;
      order = lane_mix(order ^ lane_mix(steps << 8 | GET_THREAD(slot, ordinal)));
    }
    last = slot;
    next = batch->budget;
    if (next > slice_begin + batch->patience) next = slice_begin + batch->patience;
    if (change < plan->changes && next > plan->points[change]) next = plan->points[change];
    if (batch->each_step) next = steps + 1;
    if (GET_HEADER(status) == kLaneRuns) lane_exec(M, slot, next);
    steps = GET_HEADER(steps);
    if (steps >= batch->budget) lane_end(M, kLaneTooLong, 0, 0);
    if (steps >= slice_begin + batch->patience) lane_give_up(M);
  }
  return order;
}

LANE_CODE void lane_tell(LANE_MEMORY M, u32 lane, u64 order, GLOBAL const struct LaneBatch* batch,
                         GLOBAL struct LaneTotals* totals, GLOBAL struct LaneOutcome* outcomes) {
  const u32 status = (u32)GET_HEADER(status), info = (u32)GET_HEADER(info), threads = (u32)GET_HEADER(created);
  const u64 hash = lane_mix(order);
  const u8 failed = status != kLaneExit || info != 0;
  LANE_ADD(&totals->ended[status & 31]);
  if (!failed) {
    LANE_MOST(&totals->steps, (u32)GET_HEADER(steps));
    LANE_MOST(&totals->threads, threads);
    LANE_MOST(&totals->distinct[hash >> (64 - kDistinctBits)], LANE_LEADING(hash << kDistinctBits | 1) + 1);
  }
  if (failed || batch->keeps_all) {
    const u32 number = failed ? (u32)LANE_ADD(&totals->failures) : 0;
    GLOBAL struct LaneOutcome* outcome = &outcomes[batch->keeps_all ? lane : number];
    outcome->lane = lane;
    outcome->status = status;
    outcome->info = info;
    outcome->threads = threads;
    outcome->steps = GET_HEADER(steps);
    outcome->order = order;
  }
}

LANE_KERNEL void lane_kernel(GLOBAL u8* memory, GLOBAL const struct LanePlan* plans,
                             GLOBAL const struct LaneBatch* batch, GLOBAL struct LaneTotals* totals,
                             GLOBAL struct LaneOutcome* outcomes) {
  const u32 lane = LANE_INDEX;
  if (lane < batch->lanes) {
    LANE_MEMORY M = memory + (u64)(lane / LANE_WIDTH) * LANE_WIDTH * kArena + lane % LANE_WIDTH * 4;
    const u64 order = lane_run(M, plans + lane, batch);
    lane_tell(M, lane, order, batch, totals, outcomes);
  }
}
