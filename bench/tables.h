// The tables of ./run bench.
#pragma once

namespace snarl::bench {

void measure_gates();
void measure_primitives();
void measure_resets();
void measure_sizes();  // many threads, many points
void measure_virtual();
void measure_decisions();
void measure_parallel();  // what control costs real work

}  // namespace snarl::bench
