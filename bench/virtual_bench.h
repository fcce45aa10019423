// How fast virtual programs run: the speed of conductor, model and policy without an OS thread.
#pragma once

namespace snarl {

// Steps per second of a virtual program of three threads and about 1,000 steps, under that policy.
double virtual_steps_per_second(const char* policy);

// Nanoseconds per step of the policy's own functions (decide, stepped, arrived), with so many threads that
// are all enabled and take one of 16 locks each time. The least of several measurements.
double decision_nanoseconds(const char* policy, int threads);

// One line per policy: "virtual programs, pct: 12.3 M steps/s".
void print_virtual_speed();

}  // namespace snarl
