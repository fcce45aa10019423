/* What one lane is run with: pure data, which the host, OpenCL and CUDA read alike. C and C++. */
#pragma once

enum {
  kPlanThreads = 128, /* threads that a plan knows; later ones come at a random place */
  kPlanChanges = 15,  /* d - 1 */
};
#define kNoAdversary 0xffffffffu

struct LanePlan {
  unsigned threads; /* n */
  unsigned changes; /* d - 1 */
  /* By ordinal: a permutation of changes + 1 .. changes + threads. The highest enabled thread runs. */
  unsigned short ranks[kPlanThreads];
  /* After step points[i] the thread that took it has the rank targets[i], one of 1 .. changes. In any order; of several
   * at one step the lowest rank stays. */
  unsigned points[kPlanChanges];
  unsigned short targets[kPlanChanges];
  /* Of the enabled threads above this rank any takes the next step, each equally likely; kNoAdversary: the highest. */
  unsigned adversary_above;
  unsigned long insert;    /* seed of the places of threads beyond the plan */
  unsigned long adversary; /* seed of the adversary */
};
