/* What a device and the host tell each other of a batch of lanes, beside their plans. C and C++. */
#pragma once

#include "coseq/models/lane.h"

enum { kDistinctBits = 12 };

/* Of all lanes together. */
struct LaneTotals {
  lane_u32 ended[32]; /* by LaneEnd */
  lane_u32 failures;  /* that were told of one by one: all lanes that did not end with exit code 0 */
  lane_u32 steps;     /* the most of one lane that is no failure */
  lane_u32 threads;   /* likewise */
  lane_u32 unused;
  lane_u32 distinct[1 << kDistinctBits]; /* of orders of threads, as DistinctCount in coseq/host has it */
};

/* Of one lane. */
struct LaneOutcome {
  lane_u32 lane;
  lane_u32 status; /* LaneEnd */
  lane_u32 info;
  lane_u32 threads;
  lane_u64 steps;
  lane_u64 order;
};

struct LaneBatch {
  lane_u32 lanes;
  lane_u32 each_step; /* all lanes come back to the scheduler after each step, where they meet again */
  lane_u32 keeps_all; /* outcomes of all lanes, by their number; otherwise only of failures, in any order */
  lane_u32 unused;
  lane_u64 budget;   /* steps */
  lane_u64 patience; /* steps of one thread in a row: of more than that the host finds out whether it spins */
};
