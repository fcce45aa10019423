// How fast the conductor is by itself, with model and policy, without a program around it.
#pragma once

#include "policy/catalog.h"

namespace snarl {

// Nanoseconds of CPU time per point of two threads that each lock and unlock a mutex of their own, under that policy.
// The least of several measurements, as in the others.
double point_nanoseconds(const policy::PolicyInfo& policy);

// Of two threads that yield to each other under a plan: every point is a switch.
double switch_nanoseconds();

// Of beginning a run.
double begin_nanoseconds(const policy::PolicyInfo& policy);

// Of a quiet step that the allowance covers, as far as the conductor is asked at all.
double quiet_nanoseconds();

}  // namespace snarl
