// How fast virtual programs run: the speed of conductor, model and policy without an OS thread.
#pragma once

namespace snarl {

// Steps per second of a virtual program of three threads and about 1,000 steps, under that policy.
double virtual_steps_per_second(const char* policy);

// One line per policy: "virtual programs, pct: 12.3 M steps/s".
void print_virtual_speed();

}  // namespace snarl
