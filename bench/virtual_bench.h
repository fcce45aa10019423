// How fast virtual programs run: the speed of conductor, model and policy without an OS thread.
#pragma once

#include "policy/catalog.h"

namespace snarl {

// Steps per second of a virtual program of three threads and about 1,000 steps, under that policy.
double virtual_steps_per_second(const policy::PolicyInfo& policy);

// Nanoseconds per step of the policy's own functions (decide, stepped, arrived), with so many threads that
// are all enabled and take one of 16 locks each time. The least of several measurements. 0: it decides nothing, but
// makes a plan.
double decision_nanoseconds(const policy::PolicyInfo& policy, int threads);

}  // namespace snarl
